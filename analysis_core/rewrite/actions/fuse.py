"""Two kernels in one: what the second reads and the same thread has written before stays in a register.

    first<<<4, 256>>>(b, a); second<<<4, 256>>>(c, b);     ->     first_second<<<4, 256>>>(b, a, c);

Threads of the fused kernel do the second part once they have done the first, whatever others do.  So no thread may touch in the one part what another
thread writes in the other, but where barriers of the block order them: the fused kernel has no data races.  An array that the host only
allocates and frees beside these launches is not written any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from analysis_core.interp.core.events import AccessKind
from analysis_core.ir import nodes as ir
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements_of
from analysis_core.races.decide import race_report
from analysis_core.races.verdicts import Verdict
from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core.accesses import not_analysed, too_much_shared
from analysis_core.rewrite.core.action import Action, Choice, Comparison, Launching, Refused, Rewritten, Site
from analysis_core.rewrite.core.fused_text import Fused, fused
from analysis_core.rewrite.core.pairs import Pair, arguments, pairs_of, unlike
from analysis_core.rewrite.core.source import line_of
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import annotation_tree as an
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.span import Span


def _sites(unit: Unit, kernel: ir.Kernel, declaration: syn.FunctionDecl) -> Iterator[Site]:
    for pair in pairs_of(unit):
        if pair.names[0] == kernel.name and kernel.instantiation is None:
            subject = " and ".join(f"`{name}`" for name in pair.names)
            yield Site(kernel, declaration, pair.first.span, subject, pair.first)


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    pair = next(one for one in pairs_of(unit) if one.first is site.node)
    names = pair.names
    if choice.names and choice.names != names:
        return Refused(f"the launches in a row are those of `{names[0]}` and `{names[1]}`")
    found = [[(k, d) for k, d in unit.kernels() if k.name == name] for name in names]
    if names[0] == names[1] or any(len(each) != 1 for each in found):
        return Refused(
            "it is one kernel that is launched twice" if names[0] == names[1] else "a kernel is not in this file once"
        )
    (one, first), (other, second) = found[0][0], found[1][0]
    unfit = unlike(unit, pair, (one, other)) or _apart(unit, (one, other), (first, second))
    if unfit is not None:
        return unfit
    texts = arguments(unit, pair, (one, other))
    if isinstance(texts, Refused):
        return texts
    if (counted := _counted(unit, (one, other), texts)) is not None:
        return counted
    if reason := _read_only(unit, (first, second), (one, other), texts):
        return Refused(reason)
    dead = _dead(pair, texts)
    made = fused(unit, (one, other), (first, second), texts, dead)
    if isinstance(made, Refused):
        return made
    edits = _edits(unit, pair, (first, second), made, (one, other))
    if isinstance(edits, Refused):
        return edits
    if reason := _races(unit, edits, made.name):
        return Refused(reason)
    kept = [name for name in made.kept if name not in made.gone]
    rests = [f"no thread of `{names[1]}` touches what another thread of `{names[0]}` writes, nor the other way round"]
    rests += [f"the host only allocates and frees `{name}` beside these launches" for name in made.gone]
    return Rewritten(
        f"Fuse `{names[0]}` and `{names[1]}`"
        + (f", with `{'`, `'.join((*kept, *made.gone))}` in a register" if made.kept else ""),
        tuple(edits),
        tuple(rests),
        "every thread does both parts in order, and no thread waits for another one between them",
        comparison=Comparison(
            (Launching(names[0], made.called[0]), Launching(names[1], made.called[1])),
            (Launching(made.name),),
            frozenset(made.gone),
        ),
    )


def _apart(
    unit: Unit, kernels: tuple[ir.Kernel, ir.Kernel], declared: tuple[syn.FunctionDecl, syn.FunctionDecl]
) -> Refused | None:
    """Why the bodies cannot stand one behind the other."""
    for kernel, declaration in zip(kernels, declared, strict=True):
        if declaration.template or declaration.owner or declaration.scope or declaration.launch_bounds:
            return Refused(f"`{kernel.name}` is a template, a member, in a namespace, or bounds its launches")
        if not_analysed(kernel):
            return Refused(f"part of `{kernel.name}` is not understood")
        for stmt in statements_of(kernel):
            if isinstance(stmt, ir.Fence) or (isinstance(stmt, ir.Barrier) and stmt.scope is not ir.BarrierScope.BLOCK):
                return Refused(
                    f"threads of `{kernel.name}` work together beyond barriers of the block (line {unit.line(stmt.span)})"
                )
            if isinstance(stmt, ir.Load | ir.Store | ir.Atomic) and stmt.access.volatile:
                return Refused(f"`{stmt.access.text}` is volatile")
    if all(any(o.space is Space.SHARED for o in kernel.objects) for kernel in kernels):
        return Refused("both kernels have shared memory")
    return Refused(text) if (text := too_much_shared(kernels, 0)) else None


def _counted(unit: Unit, kernels: tuple[ir.Kernel, ir.Kernel], texts: tuple[list[str], list[str]]) -> Refused | None:
    """An array that one kernel updates atomically and the other touches: what an update finds there tells who came before."""
    touched: list[set[str]] = []
    counted: list[set[str]] = []
    for kernel, each in zip(kernels, texts, strict=True):
        passed = {kernel.variables[p].name: text for p, text in zip(kernel.parameters, each, strict=True)}
        events = [event for launch in unit.launches(kernel) for event in unit.events(kernel, launch).accesses]
        touched.append({passed.get(event.base, event.base) for event in events})
        counted.append({passed.get(event.base, event.base) for event in events if event.kind is AccessKind.ATOMIC})
    for mine, others in ((counted[0], touched[1]), (counted[1], touched[0])):
        if mine and (common := mine & others or (mine | others) & {"?"}):
            return Refused(f"`{min(common)}` is updated atomically in one of both, and touched in the other")
    return None


def _read_only(
    unit: Unit,
    declared: tuple[syn.FunctionDecl, syn.FunctionDecl],
    kernels: tuple[ir.Kernel, ir.Kernel],
    texts: tuple[list[str], list[str]],
) -> str | None:
    """An array that one kernel reads as one that no kernel writes meanwhile (`__ldg`), and the other writes; None if there is none."""
    written: list[set[str]] = []
    constant: list[dict[str, syn.Call]] = []
    for declaration, kernel, each in zip(declared, kernels, texts, strict=True):
        passed = {kernel.variables[p].name: text for p, text in zip(kernel.parameters, each, strict=True)}
        events = [event for launch in unit.launches(kernel) for event in unit.events(kernel, launch).accesses]
        written.append({passed.get(e.base, e.base) for e in events if e.kind is not AccessKind.READ})
        calls = (n for n in inside(declaration) if isinstance(n, syn.Call) and isinstance(n.callee, syn.Name))
        constant.append(
            {
                passed.get(n.name, n.name): c
                for c in calls
                if _is_read_only(c)
                for n in inside(c)
                if isinstance(n, syn.Name)
            }
        )
    for mine, others in ((constant[0], written[1]), (constant[1], written[0])):
        if found := mine.keys() & others:
            call = mine[min(found)]
            return f"`{unit.spelled(call.span)}` may read what was there before the other kernel's writes"
    return None


def _is_read_only(call: syn.Call) -> bool:
    return isinstance(call.callee, syn.Name) and call.callee.name == "__ldg"


def _dead(pair: Pair, texts: tuple[list[str], list[str]]) -> frozenset[str]:
    """Arrays of the host's function that are allocated, passed to both kernels and freed, and nothing else."""
    found = set()
    for text in set(texts[0]) & set(texts[1]):
        declared = [one for one in inside(pair.function) if isinstance(one, syn.VarDecl) and one.name == text]
        if len(declared) != 1 or not isinstance(declared[0].type, syn.PointerTo) or declared[0].storage:
            continue
        start = declared[0].init
        if start is not None and not (isinstance(start, syn.Literal) and start.kind is syn.LiteralKind.NULL):
            continue  # somebody else may have it, too
        uses = [one for one in inside(pair.function) if isinstance(one, syn.Name) and one.name == text]
        allowed = [n for launch in pair.launches for arg in launch.args for n in (arg,) if isinstance(n, syn.Name)]
        for call in inside(pair.function):
            match call:
                case syn.Call(callee=syn.Name(name="cudaMalloc"), args=(first, *_)):
                    allowed += [n for n in inside(first) if isinstance(n, syn.Name)]
                case syn.Call(callee=syn.Name(name="cudaFree"), args=(syn.Name() as freed,)):
                    allowed.append(freed)
                case _:
                    pass
        if all(any(one is n for n in allowed) for one in uses) and not any(
            isinstance(n, syn.OpaqueStmt | syn.OpaqueExpr | syn.Lambda) for n in inside(pair.function)
        ):
            found.add(text)
    return frozenset(found)


def _edits(
    unit: Unit,
    pair: Pair,
    declared: tuple[syn.FunctionDecl, syn.FunctionDecl],
    made: Fused,
    kernels: tuple[ir.Kernel, ir.Kernel],
) -> list[Edit] | Refused:
    earlier, later = sorted(declared, key=lambda one: one.span.start)
    launch, _ = pair.launches
    config = unit.spelled(Span(unit.file, launch.config[0].span.start, launch.config[-1].span.end))
    eol = "\r\n" if b"\r\n" in unit.text else "\n"
    carried: list[str] = []
    edits = [
        Edit(later.span, made.text),
        Edit(launch.span, f"{made.name}<<<{config}>>>({', '.join(made.passed)})"),
        Edit(_lines(unit, pair.second.span), ""),
        Edit(_lines(unit, earlier.span), ""),
    ]
    for declaration, names in zip(declared, made.called, strict=True):
        for note in _notes(unit, declaration):
            text = unit.spelled(note.span)
            if declaration.span.encloses(note.span):
                renamed = any(re.search(rf"\b{re.escape(old)}\b", text) for old, new in names.items() if old != new)
                if (
                    not isinstance(note.said, an.LoopBoundAnnotation | an.ClaimAnnotation)
                    or text not in made.stated
                    or renamed
                ):
                    return Refused(f"what line {unit.line(note.span)} states is about one of both kernels")
            elif isinstance(note.said, an.LaunchAnnotation):
                if declaration is earlier:
                    edits.append(Edit(_lines(unit, note.span), ""))
            elif isinstance(note.said, an.AssumeAnnotation | an.AlignedAnnotation):
                carried.append(_with_names(text, names))
                edits.append(Edit(_lines(unit, note.span), ""))
            elif note.said is not None:
                return Refused(f"what line {unit.line(note.span)} states is about one of both kernels")
    edits[0] = Edit(later.span, "".join(f"{one}{eol}" for one in dict.fromkeys(carried)) + made.text)
    if bool(kernels[0].annotations.launches) != bool(kernels[1].annotations.launches):
        return Refused("the launch of one of both kernels alone is stated")
    return edits


def _with_names(text: str, names: Mapping[str, str]) -> str:
    """What an annotation says, of other parameters."""
    return re.sub(r"(?<![\w.])[A-Za-z_]\w*", lambda found: names.get(found[0], found[0]), text)


def _notes(unit: Unit, declaration: syn.FunctionDecl) -> list[an.AnnotationComment]:
    """Annotations of a kernel: behind the declaration before it, to its end."""
    before = max((d.span.end for d in unit.tree.declarations if d.span.end <= declaration.span.start), default=0)
    return [
        one
        for one in unit.tree.annotations
        if one.span.file == unit.file and before <= one.span.start and one.span.end <= declaration.span.end
    ]


def _lines(unit: Unit, span: Span) -> Span:
    """The span with its lines where nothing else stands on them, else with the blanks behind it."""
    whole = line_of(unit, span)
    if unit.text[whole.start : whole.end].strip() == unit.text[span.start : span.end].strip():
        return Span(unit.file, whole.start, min(whole.end + 1, len(unit.text)))
    start, end = span.start, span.end
    if not unit.text[whole.start : start].strip():  # what is behind it takes its place
        while unit.text[end : end + 1] in (b" ", b"\t"):
            end += 1
        return Span(unit.file, start, end)
    while unit.text[start - 1 : start] in (b" ", b"\t"):
        start -= 1
    return Span(unit.file, start, end)


def _races(unit: Unit, edits: list[Edit], name: str) -> str | None:
    """Two threads of the fused kernel that may meet; None if none do."""
    after = unit.edited(tuple(edits))
    kernel = after.named(name)
    if kernel is None:
        return "the fused kernel is not understood"
    for launch in after.launches(kernel):
        found = race_report(kernel, launch, after.events(kernel, launch), is_assumed(launch.source))
        if found.cause:
            return f"whether threads race is not known: {found.cause}"
        for race in found.races:
            if race.verdict not in (Verdict.ABSENT, Verdict.BENIGN):
                return f"a thread may need `{race.second.text}` before another one is done with `{race.first.text}`"
        if found.divergences:
            return "not all threads come to a barrier"
    return None


ACTION = Action(
    "fuse",
    "do two kernels that are launched one after the other in one launch",
    frozenset(),
    _sites,
    _rewrite,
)
