"""The text of a kernel that does what two kernels did, one behind the other.

Parameters that get the same argument are one parameter; the second kernel's names give way.  Declarations at the beginning of both that read the
same are made once, and so is a guard that both stand behind (`if (i < n)`).  What stands in one scope must not take its names from the other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from analysis_core.ir import nodes as ir
from analysis_core.ir.types import PointerType, ScalarType, StructType, Type
from analysis_core.ir.walk import statements_of
from analysis_core.rewrite.core.action import Refused
from analysis_core.rewrite.core.source import addressed, assigned, comments_in, fresh, has_directive
from analysis_core.rewrite.core.unit import Unit
from analysis_core.rewrite.core.vector_text import replaced_nodes
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, touched
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_STEP = "    "

_LEADING = re.compile(r"(?:^[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/)[ \t]*\r?\n)+[ \t]*\Z", re.MULTILINE)
_NEAR = 4000
"""Bytes before a statement in which comments about it are looked for."""

_TRAILING = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/)")


@dataclass(frozen=True, slots=True)
class Fused:
    """`called`: of both kernels, the parameters by their names in the fused one; `passed`: its arguments; `kept`: arrays of which a value stays in a
    register; `gone`: those of them that are not written any more; `stated`: the text of the work, with annotations where they were."""

    name: str
    text: str
    called: tuple[Mapping[str, str], Mapping[str, str]]
    passed: tuple[str, ...]
    kept: tuple[str, ...]
    gone: tuple[str, ...]
    stated: str


@dataclass(frozen=True, slots=True)
class _Body:
    """`shared`: declarations of places and sizes at the beginning; `guard`: the condition around all that follows, None without one; `leaves`: it is that
    of a `return` before; `work`: what follows."""

    shared: tuple[syn.DeclStmt, ...]
    guard: syn.Expr | None
    leaves: bool
    work: tuple[syn.Stmt, ...]


@dataclass(frozen=True, slots=True)
class _Forward:
    """`store`: the statement that writes the element; `loads`: where the second kernel reads it; `register`: the variable between."""

    array: str
    store: syn.ExprStmt
    loads: tuple[Span, ...]
    type: str
    register: str
    gone: bool


def fused(
    unit: Unit,
    kernels: tuple[ir.Kernel, ir.Kernel],
    declared: tuple[syn.FunctionDecl, syn.FunctionDecl],
    texts: tuple[list[str], list[str]],
    dead: frozenset[str],
) -> Fused | Refused:
    first, second = declared
    for one in declared:
        if reason := _unmovable(unit, one):
            return Refused(reason)
    parameters = _parameters(unit, kernels, declared, texts)
    if isinstance(parameters, Refused):
        return parameters
    spelled, names, passed = parameters
    mine, theirs = _body(first), _body(second)
    renames = {n.span: names[n.name] for n in inside(second) if isinstance(n, syn.Name) and n.name in names}
    again = _again(unit, mine, theirs, renames)
    if reason := _captured(first, second, names, again):
        return Refused(reason)
    together = _same_guard(unit, mine, theirs, renames)
    if not together and any(
        isinstance(n, syn.Return) for stmt in (first.body,) if stmt for n in inside(stmt, lambdas=False)
    ):
        return Refused(f"threads may leave `{first.name}` before its end")
    forwards = (
        _forwards(unit, kernels, (first, second), (mine, theirs), texts, names, dead, renames) if together else []
    )
    gone = {each.array for each in forwards if each.gone}
    kept = [p for p in range(len(passed)) if spelled[p][0] not in gone]
    body = _joined(unit, mine, theirs, again, together, forwards, renames)
    head = unit.spelled(Span(unit.file, first.span.start, first.name_span.start))
    name = fresh(unit, f"{first.name}_{second.name}")
    stated = body
    lost = [
        c
        for one in declared
        if one.body
        for c in comments_in(unit.spelled(Span(unit.file, one.name_span.end, one.span.end)))
        if c not in body
    ]
    eol = "\r\n" if b"\r\n" in unit.text else "\n"
    body = "{" + "".join(eol + _STEP + one for one in dict.fromkeys(lost)) + body[1:]
    text = f"{head}{name}({', '.join(spelled[p][1] for p in kept)}) {body}"
    called = {v: v for v in (p.name for p in first.parameters) if v}
    return Fused(
        name,
        text,
        (called, names),
        tuple(passed[p] for p in kept),
        tuple(f.array for f in forwards),
        tuple(sorted(gone)),
        stated,
    )


def _unmovable(unit: Unit, declaration: syn.FunctionDecl) -> str | None:
    body = declaration.body
    assert body is not None
    if has_directive(unit, declaration.span):
        return f"there are directives of the preprocessor in `{declaration.name}`"
    for one in inside(body):
        if isinstance(one, syn.OpaqueExpr | syn.OpaqueStmt | syn.Lambda):
            return f"part of `{declaration.name}` is not understood"
        if one.span.file != unit.file or not body.span.encloses(one.span):
            return f"part of `{declaration.name}` stands elsewhere"
        if one.expansion is not None and isinstance(one, syn.Name | syn.VarDecl | syn.Return):
            return f"the macro `{one.expansion}` makes part of `{declaration.name}`"
        if isinstance(one, syn.VarDecl) and "static" in one.storage:
            return f"`{one.name}` is static"
    return None


# --- parameters ---------------------------------------------------------------------------------------------------


_Parameters = tuple[list[tuple[str, str]], dict[str, str], list[str]]
"""Names and texts of the fused kernel's parameters, the second kernel's names by what they become, and the arguments."""


def _parameters(
    unit: Unit,
    kernels: tuple[ir.Kernel, ir.Kernel],
    declared: tuple[syn.FunctionDecl, syn.FunctionDecl],
    texts: tuple[list[str], list[str]],
) -> _Parameters | Refused:
    types = [{kernel.variables[p].name: kernel.variables[p].type for p in kernel.parameters} for kernel in kernels]
    for one, each, own in zip(declared, texts, types, strict=True):
        if len(one.parameters) != len(each) or any(
            p.name is None or p.pack or p.name not in own for p in one.parameters
        ):
            return Refused(f"the parameters of `{one.name}` are not those of its launch, each a number or a pointer")
        if len(set(each)) < len(each) and any(
            each.count(t) > 1 and isinstance(own[p.name or ""], PointerType)
            for t, p in zip(each, one.parameters, strict=True)
        ):
            return Refused(f"`{one.name}` gets an array twice")
    first, second = declared
    spelled = [(p.name or "", unit.spelled(p.span)) for p in first.parameters]
    passed = list(texts[0])
    taken = _words(first)
    names: dict[str, str] = {}
    for parameter, text in zip(second.parameters, texts[1], strict=True):
        name = parameter.name or ""
        at = texts[0].index(text) if text in texts[0] else None
        if at is not None and _alike(types[0][spelled[at][0]], types[1][name]):
            names[name] = spelled[at][0]
            mine, other = types[0][spelled[at][0]], types[1][name]
            if isinstance(mine, PointerType) and isinstance(other, PointerType) and mine.const and not other.const:
                spelled[at] = (spelled[at][0], _renamed_last(unit.spelled(parameter.span), name, spelled[at][0]))
            continue
        if at is not None and isinstance(types[1][name], PointerType):
            return Refused(f"`{text}` is an array of other elements in `{second.name}`")
        names[name] = fresh(unit, f"{name}_{second.name}") if name in taken else name
        spelled.append((names[name], _renamed_last(unit.spelled(parameter.span), name, names[name])))
        passed.append(text)
    for function, mapped in ((first, {p.name for p in first.parameters}), (second, set(names))):
        assert function.body is not None
        hidden = {n.name for n in inside(function.body) if isinstance(n, syn.VarDecl)} & mapped
        written = _numbers(function.body) & mapped
        if hidden or written:
            return Refused(f"`{min(hidden or written)}` of `{function.name}` changes, or is declared again")
    return spelled, names, passed


def _numbers(body: syn.Compound) -> set[str]:
    """Names that are assigned, or stepped, themselves."""
    return {name for one in inside(body) for name in assigned(one)}


def _alike(one: object, other: object) -> bool:
    if isinstance(one, PointerType) and isinstance(other, PointerType):
        return one.target == other.target
    return (
        isinstance(one, ScalarType)
        and isinstance(other, ScalarType)
        and (one.kind, one.size, one.signed) == (other.kind, other.size, other.signed)
    )


def _renamed_last(text: str, old: str, new: str) -> str:
    *_, last = re.finditer(rf"\b{re.escape(old)}\b", text)
    return text[: last.start()] + new + text[last.end() :]


def _words(function: syn.FunctionDecl) -> set[str]:
    """All names that a function uses or declares."""
    found = {p.name for p in function.parameters if p.name}
    for one in inside(function):
        if isinstance(one, syn.Name | syn.VarDecl):
            found.add(one.name)
    return found


# --- bodies -------------------------------------------------------------------------------------------------------


def _body(function: syn.FunctionDecl) -> _Body:
    assert function.body is not None
    statements = function.body.body
    count = next((n for n, s in enumerate(statements) if not _computes(s)), len(statements))
    shared = tuple(s for s in statements[:count] if isinstance(s, syn.DeclStmt))
    rest = statements[count:]
    match rest:
        case (syn.If(otherwise=None, init=None, is_constexpr=False) as test,) if not _returns(test):
            then = test.then
            return _Body(shared, test.condition, False, then.body if isinstance(then, syn.Compound) else (then,))
        case (syn.If(otherwise=None, init=None, is_constexpr=False) as test, *work) if _leaves(test):
            if not any(_returns(s) for s in work):
                return _Body(shared, test.condition, True, tuple(work))
    return _Body(shared, None, False, rest)


def _returns(stmt: syn.Stmt) -> bool:
    return any(isinstance(n, syn.Return) for n in inside(stmt, lambdas=False))


def _leaves(test: syn.If) -> bool:
    then = test.then
    if isinstance(then, syn.Compound) and len(then.body) == 1:
        then = then.body[0]
    return isinstance(then, syn.Return) and then.value is None


def _computes(stmt: syn.Stmt) -> bool:
    """Whether it declares variables with values that are arithmetic of places and sizes."""
    return (
        isinstance(stmt, syn.DeclStmt)
        and all(
            isinstance(d, syn.VarDecl) and not d.storage - {"const", "constexpr"} and d.init is not None
            for d in stmt.declarations
        )
        and _is_plain(stmt)
    )


def _is_plain(node: syn.Node) -> bool:
    """Whether nothing in it reads memory, calls or changes anything."""
    return not any(
        isinstance(n, syn.Subscript | syn.Call | syn.Assign | syn.IncDec | syn.KernelLaunch | syn.OpaqueExpr)
        or (isinstance(n, syn.Unary) and n.op in "*&")
        for n in inside(node)
    )


def _text(unit: Unit, node: syn.Node, renames: Mapping[Span, str]) -> str:
    """A node as spelled with other names, blanks alike."""
    return " ".join(replaced_nodes(unit, (node,), {s: t for s, t in renames.items() if node.span.encloses(s)}).split())


def _declares(nodes: Sequence[syn.Node]) -> set[str]:
    return {n.name for node in nodes for n in inside(node) if isinstance(n, syn.VarDecl)}


def _again(unit: Unit, one: _Body, other: _Body, renames: Mapping[Span, str]) -> tuple[syn.DeclStmt, ...]:
    """Declarations of the second kernel that the first makes, too, and never changes."""
    known = {_text(unit, stmt, {}) for stmt in one.shared}
    written = {n for stmt in (*one.work, *other.work) for each in inside(stmt) for n in touched(each)}
    return tuple(s for s in other.shared if _text(unit, s, renames) in known and not _declares((s,)) & written)


def _captured(
    first: syn.FunctionDecl, second: syn.FunctionDecl, names: Mapping[str, str], again: Sequence[syn.DeclStmt]
) -> str | None:
    """A name that would mean something else in the fused kernel; None if none does."""
    assert first.body is not None and second.body is not None
    mine, others = _declares((first.body,)), _declares((second.body,))
    shared = _declares(again)
    if clash := others & set(names.values()):
        return f"`{min(clash)}` is declared in `{second.name}`, too"
    free = {n.name for n in inside(second.body) if isinstance(n, syn.Name)} - others - set(names)
    if clash := (free & (mine | {p.name for p in first.parameters if p.name})) - shared:
        return f"`{min(clash)}` means something else in `{second.name}`"
    if clash := (mine & set(names.values())) - {p.name for p in first.parameters}:
        return f"`{min(clash)}` means something else in `{second.name}`"
    return None


def _same_guard(unit: Unit, one: _Body, other: _Body, renames: Mapping[Span, str]) -> bool:
    """Whether both bodies stand behind one condition, or behind none."""
    if one.guard is None or other.guard is None:
        return one.guard is other.guard
    if one.leaves != other.leaves or not _is_plain(one.guard):
        return False
    written = {n for stmt in one.work for each in inside(stmt) for n in touched(each)}
    used = {n.name for n in inside(one.guard) if isinstance(n, syn.Name)}
    locals_ = _declares((*one.shared, *other.shared))
    same = {n for s in _again(unit, one, other, renames) for n in _declares((s,))}
    return _text(unit, one.guard, {}) == _text(unit, other.guard, renames) and not used & (written | (locals_ - same))


def _forwards(
    unit: Unit,
    kernels: tuple[ir.Kernel, ir.Kernel],
    declared: tuple[syn.FunctionDecl, syn.FunctionDecl],
    bodies: tuple[_Body, _Body],
    texts: tuple[list[str], list[str]],
    names: Mapping[str, str],
    dead: frozenset[str],
    renames: Mapping[Span, str],
) -> list[_Forward]:
    """Elements that the first kernel stores once and the second reads at the same place, and nothing else of the array."""
    first, second = declared
    assert first.body is not None and second.body is not None
    back = {new: old for old, new in names.items()}
    variables = {kernels[0].variables[p].name: kernels[0].variables[p].type for p in kernels[0].parameters}
    again = _declares(_again(unit, *bodies, renames))
    steady = again | {n.name for n in inside(first.body) if isinstance(n, syn.Name)} - _declares((first.body,))
    written = _numbers(first.body) | _numbers(second.body)
    found: list[_Forward] = []
    for stmt in bodies[0].work:
        match stmt:
            case syn.ExprStmt(expr=syn.Assign(op="=", target=syn.Subscript(base=syn.Name(name=name)) as target)) if (
                name in variables and name in back
            ):
                pass
            case _:
                continue
        element = _element(variables[name], target.index, steady - written)
        loads = _loads(unit, kernels[1], second.body, back[name], _text(unit, target, {}), renames)
        others = _other_uses(kernels[0], first.body, target)
        if element is None or not loads or others is None:
            continue
        text = texts[0][[p.name for p in first.parameters].index(name)]
        register = fresh(unit, f"{name}_value", frozenset(f.register for f in found))
        found.append(_Forward(name, stmt, loads, element, register, text in dead and not others))
    return found


def _element(type_: Type, index: syn.Expr, steady: set[str]) -> str | None:
    """The type of an element at an index that stays as it is; None if it changes, or is no plain value."""
    used = {n.name for n in inside(index) if isinstance(n, syn.Name)}
    if not isinstance(type_, PointerType) or not _is_plain(index) or not used <= steady:
        return None
    match type_.target:
        case ScalarType(name=name) | StructType(vector=True, name=name):
            return name
        case _:
            return None


def _loads(
    unit: Unit, kernel: ir.Kernel, body: syn.Compound, name: str, text: str, renames: Mapping[Span, str]
) -> tuple[Span, ...]:
    """Where a body reads an element of an array; () if it does anything else with the array, too."""
    uses = [n for n in inside(body) if isinstance(n, syn.Name) and n.name == name]
    loads = [s for s in inside(body) if isinstance(s, syn.Subscript) and any(s.base is n for n in uses)]
    read = {s.access.span for s in statements_of(kernel) if isinstance(s, ir.Load)} - _stored(kernel)
    asked = addressed(body)
    if len(loads) != len(uses) or any(
        s.span in asked or s.span not in read or _text(unit, s, renames) != text for s in loads
    ):
        return ()
    return tuple(s.span for s in loads)


def _other_uses(kernel: ir.Kernel, body: syn.Compound, target: syn.Subscript) -> bool | None:
    """Whether the array is read beside the one element that is stored once; None if anything else is done with it."""
    assert isinstance(target.base, syn.Name)
    uses = [n for n in inside(body) if isinstance(n, syn.Name) and n.name == target.base.name and n is not target.base]
    places = {
        s.base.span: s.span for s in inside(body) if isinstance(s, syn.Subscript) and isinstance(s.base, syn.Name)
    }
    stores = [s for s in statements_of(kernel) if isinstance(s, ir.Store) and s.access.span == target.span]
    if len(stores) != 1 or any(n.span not in places or places[n.span] in _stored(kernel) for n in uses):
        return None
    return bool(uses)


def _stored(kernel: ir.Kernel) -> set[Span]:
    return {s.access.span for s in statements_of(kernel) if isinstance(s, ir.Store | ir.Atomic)}


# --- the text -----------------------------------------------------------------------------------------------------


def _joined(
    unit: Unit,
    one: _Body,
    other: _Body,
    again: Sequence[syn.DeclStmt],
    together: bool,
    forwards: Sequence[_Forward],
    renames: Mapping[Span, str],
) -> str:
    """The body, in braces."""
    eol = "\r\n" if b"\r\n" in unit.text else "\n"
    by = {**renames, **{span: each.register for each in forwards for span in each.loads}}
    inner = [span for each in forwards for span in each.loads]
    by = {span: text for span, text in by.items() if span in inner or not any(s.encloses(span) for s in inner)}
    left = tuple(s for s in other.shared if s not in again)
    head = [_rows(unit, (s,), {}, _STEP, eol) for s in one.shared]
    if not together:
        whole = [_whole(unit, one, (), {}, eol), _whole(unit, other, left, by, eol)]
        return "{" + eol + eol.join(_STEP + line for line in (*head, *whole)) + eol + "}"
    inside_guard = one.guard is not None and not one.leaves
    indent = _STEP * 2 if inside_guard else _STEP
    first = _rows(unit, one.work, {}, indent, eol, {each.store.span: each for each in forwards})
    clash = _declares(one.work) & _declares((*left, *other.work))
    second = _rows(unit, (*left, *other.work), by, indent + (_STEP if clash else ""), eol)
    if clash:
        second = f"{{{eol}{indent}{_STEP}{second}{eol}{indent}}}"
    lines = list(head)
    if one.guard is not None:
        condition = unit.spelled(one.guard.span)
        lines.append(f"if ({condition}) " + ("{" if inside_guard else "return;"))
    parts = [part for part in (first, second) if part]
    text = eol.join([*(_STEP + line for line in lines), *(indent + part for part in parts)])
    return "{" + eol + text + (eol + _STEP + "}" if inside_guard else "") + eol + "}"


def _whole(unit: Unit, body: _Body, left: tuple[syn.Stmt, ...], by: Mapping[Span, str], eol: str) -> str:
    """A body with its guard, in braces of its own."""
    indent = _STEP * (3 if body.guard is not None else 2)
    work = _rows(unit, body.work, by, indent, eol)
    if body.guard is not None:
        condition = replaced_nodes(unit, (body.guard,), {s: t for s, t in by.items() if body.guard.span.encloses(s)})
        negated = f"!({condition})" if body.leaves else condition
        work = f"if ({negated}) {{{eol}{indent}{work}{eol}{_STEP * 2}}}"
    before = _rows(unit, left, by, _STEP * 2, eol) if left else ""
    return f"{{{eol}{_STEP * 2}" + (before + eol + _STEP * 2 if before else "") + work + f"{eol}{_STEP}}}"


def _rows(
    unit: Unit,
    nodes: Sequence[syn.Stmt],
    by: Mapping[Span, str],
    indent: str,
    eol: str,
    stores: Mapping[Span, _Forward] = {},
) -> str:
    """Statements, one a line, with what stands between them where that is more than blanks."""
    text, end = "", None
    for node in nodes:
        forward = stores.get(node.span)
        if forward is not None and isinstance(node, syn.ExprStmt) and isinstance(node.expr, syn.Assign):
            value = replaced_nodes(unit, (node.expr.value,), {})
            row = f"{forward.type} {forward.register} = {value};"
            if not forward.gone:
                row += f"{eol}{indent}{unit.spelled(node.expr.target.span)} = {forward.register};"
        else:
            row = replaced_nodes(unit, (node,), {s: t for s, t in by.items() if node.span.encloses(s)})
        if end is None and (
            before := _LEADING.search(unit.spelled(Span(unit.file, max(0, node.span.start - _NEAR), node.span.start)))
        ):
            row = (eol + indent).join((*(line.strip() for line in before[0].split("\n") if line.strip()), row))
        if end is not None:
            between = unit.spelled(Span(unit.file, end, node.span.start)) if end <= node.span.start else ""
            text += between if between.strip() else eol + indent
        text += row
        end = node.span.end
    if end is not None and (behind := _TRAILING.match(unit.spelled(Span(unit.file, end, len(unit.text))))):
        text += behind[0]
    return text
