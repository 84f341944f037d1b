"""Structure of arrays: an array of structures is laid out member by member, in kernels, launches and host code together.

    struct P { float x, y; };                     p[i].x    ->    p[i]
    k(P *p, int n), n of them                     p[i].y    ->    p[n + i]

The memory stays one piece of as many bytes, so allocations, copies of the whole and launches stay as they are, but for types: `P *` becomes `float *`.
All of it has to be in view: the structure has members of one type, the memory is allocated in the function that launches, as `n * sizeof(P)`, it is
copied as a whole or not at all, and nothing is done with an element but with its members.  Kernels that are given the number of elements use their
parameter.  Whatever else is done with the array, or in what is not compiled here, refuses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from analysis_core.ir.nodes import Kernel
from analysis_core.report.checks.uncoalesced_access import CODE as UNCOALESCED
from analysis_core.report.findings.model import Edit
from analysis_core.report.fixes.tile import mentions
from analysis_core.rewrite.core import accesses as acc
from analysis_core.rewrite.core.action import Action, Choice, Contents, Moved, Refused, Rewritten, Site
from analysis_core.rewrite.core.host_launches import HostLaunch, launches_of, run_together
from analysis_core.rewrite.core.source import bracketed, has_directive
from analysis_core.rewrite.core.threads import Locals
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_SIZES = {"float": 4, "int": 4, "unsigned int": 4, "unsigned": 4, "double": 8, "short": 2, "long long": 8, "char": 1}
_ALLOCATING = frozenset({"cudaMalloc", "cudaMallocManaged", "cudaMallocHost"})
_FREEING = frozenset({"cudaFree", "free", "cudaFreeHost"})


class _Refusal(Exception):
    """The reason why it is not done."""


@dataclass(frozen=True, slots=True)
class _Structure:
    """`members`: their names in order, all of type `element`, of `size` bytes."""

    name: str
    members: tuple[str, ...]
    element: str
    size: int


def _sites(unit: Unit, kernel: Kernel, declaration: syn.FunctionDecl) -> Iterator[Site]:
    for parameter in declaration.parameters:
        if parameter.name and isinstance(_structure(unit, parameter.type), _Structure):
            mention = next(
                (n for n in inside(declaration) if isinstance(n, syn.Member) and _element(n) == parameter.name), None
            )
            if mention is not None:
                yield Site(kernel, declaration, mention.span, f"`{parameter.name}`", mention)


def _element(node: syn.Member) -> str:
    """The array of which a member of an element is named: "p" of `p[i].x`."""
    base = node.base
    return base.base.name if isinstance(base, syn.Subscript) and isinstance(base.base, syn.Name) else ""


def _structure(unit: Unit, type_: syn.TypeNode) -> _Structure | str:
    """The structure that a pointer leads to, if its members are of one plain type."""
    target = type_.target if isinstance(type_, syn.PointerTo) else None
    if not isinstance(target, syn.NamedType) or target.template_args:
        return "it is no pointer to a structure"
    name = target.name.removeprefix("struct ")
    found = [d for d in unit.tree.declarations if isinstance(d, syn.RecordDef) and d.name == name]
    if len(found) != 1:
        return f"`{name}` is not defined in this file"
    one = found[0]
    types = {f.type.name if isinstance(f.type, syn.NamedType) and not f.type.template_args else "" for f in one.fields}
    element = next(iter(types), "")
    odd = one.bases or one.methods or one.template or one.alignments or one.packed or one.keyword == "union"
    if odd or len(one.fields) < 2 or len(types) != 1 or element not in _SIZES:
        return f"the members of `{name}` are not of one plain type"
    if any(f.bits or f.alignments or f.storage for f in one.fields):
        return f"the members of `{name}` are not of one plain type"
    return _Structure(name, tuple(f.name for f in one.fields), element, _SIZES[element])


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    name = site.subject.strip("`")
    parameter = next((p for p in site.declaration.parameters if p.name == name), None)
    if parameter is None:
        return Refused(f"`{name}` is no parameter")
    structure = _structure(unit, parameter.type)
    if isinstance(structure, str):
        return Refused(structure)
    change = _Change(unit, structure)
    try:
        change.follow_kernel(site.declaration, name)
        change.follow()
    except _Refusal as why:
        return Refused(str(why))
    touched = [kernel for kernel, _ in unit.kernels() if kernel.name in change.called]
    moved = _moved(structure, change.arrays)
    return Rewritten(
        f"Lay out `{structure.name}` as a structure of arrays",
        tuple(change.edits.values()),
        ("kernels, launches and the allocation are in view, and nothing else touches the array",),
        proof="each member of each element has a place of its own, as before",
        comparison=run_together(touched, change.called, moved),
    )


class _Change:
    """What is edited, found by following the array from kernels to launches, to the host's pointers and on to other kernels."""

    def __init__(self, unit: Unit, structure: _Structure) -> None:
        self.unit, self.structure = unit, structure
        self.edits: dict[Span, Edit] = {}
        self.called: dict[str, dict[str, str]] = {}
        self.arrays: dict[str, str] = {}
        self.counts: dict[str, str] = {}
        self.pending: list[tuple[syn.FunctionDecl, str]] = []
        self.seen: set[tuple[str, str]] = set()

    def follow(self) -> None:
        while self.pending:
            self._follow_host(*self.pending.pop())

    # --- kernels ---

    def follow_kernel(self, kernel: syn.FunctionDecl, name: str) -> None:
        """The kernel's parameter and its uses, and the pointers that launches pass for it."""
        if (kernel.name, name) in self.seen:
            return
        self.seen.add((kernel.name, name))
        unit = self.unit
        if kernel.template is not None or has_directive(unit, kernel.span):
            raise _Refusal(f"`{kernel.name}` is a template, or has directives of the preprocessor in it")
        instances = [k for k, d in unit.kernels() if d is kernel]
        if not instances or any(acc.not_analysed(one) for one in instances):
            raise _Refusal(f"a part of the kernel `{kernel.name}` is not analysed")
        launches = launches_of(unit, instances, kernel)
        if isinstance(launches, str):
            raise _Refusal(launches)
        if not launches:
            raise _Refusal("no launch of it is in view")
        number = [p.name for p in kernel.parameters].index(name)
        for launch in launches:
            given = launch.call.args[number] if number < len(launch.call.args) else None
            if not isinstance(given, syn.Name):
                raise _Refusal(f"the launch in line {unit.line(launch.call.span)} does not pass a pointer by its name")
            self.counts.setdefault(launch.function.name, self._count(launch.function, given.name))
            self.pending.append((launch.function, given.name))
        pitch = self._pitch(kernel, launches)
        count, pointer = self.counts[launches[0].function.name], launches[0].call.args[number]
        own = self.called.setdefault(kernel.name, {})
        own |= {name: unit.spelled(pointer.span)} | ({} if pitch.isdecimal() else {pitch: count})
        self.arrays[own[name]] = count
        self._retyped(kernel.parameters[number].span, kernel.parameters[number].expansion)
        assert kernel.body is not None
        self._members(kernel.body, name, pitch, {kernel.parameters[number].span})
        self._nothing_else(kernel, name)

    def _pitch(self, kernel: syn.FunctionDecl, launches: list[HostLaunch]) -> str:
        """What the kernel calls the number of elements."""
        unit = self.unit
        texts = [self.counts[launch.function.name] for launch in launches]
        if len(set(texts)) == 1 and texts[0].isdecimal():
            return texts[0]
        variables = Locals(unit, kernel)
        for number, parameter in enumerate(kernel.parameters):
            name = parameter.name or ""
            whole = isinstance(parameter.type, syn.NamedType) and parameter.type.name in (
                "int",
                "unsigned int",
                "size_t",
                "unsigned",
                "long",
            )
            same = all(
                number < len(launch.call.args) and unit.spelled(launch.call.args[number].span) == text
                for launch, text in zip(launches, texts, strict=True)
            )
            if whole and same and name not in variables.changed and name not in variables.declared:
                return name
        raise _Refusal(f"no parameter of `{kernel.name}` is the number of elements, `{texts[0]}`")

    # --- host code ---

    def _count(self, function: syn.FunctionDecl, name: str) -> str:
        """The number of elements that the function allocates for a pointer."""
        for node in inside(function):
            if isinstance(node, syn.Call) and isinstance(node.callee, syn.Name) and node.callee.name in _ALLOCATING:
                if len(node.args) >= 2 and _pointed(node.args[0]) == name:
                    return self._elements(node.args[1])
        raise _Refusal(f"`{name}` is not allocated in `{function.name}`, where it is launched with it")

    def _elements(self, size: syn.Expr) -> str:
        """n of `n * sizeof(P)`, a name or a number."""
        match size:
            case (
                syn.Binary(op="*", left=count, right=syn.SizeOf() as of)
                | syn.Binary(op="*", left=syn.SizeOf() as of, right=count)
            ):
                named = of.operand.name if isinstance(of.operand, syn.NamedType | syn.Name) else ""
                if named.removeprefix("struct ") == self.structure.name and isinstance(count, syn.Name | syn.Literal):
                    return self.unit.spelled(count.span)
            case _:
                pass
        raise _Refusal(f"the size in line {self.unit.line(size.span)} is not a number of `{self.structure.name}`")

    def _follow_host(self, function: syn.FunctionDecl, name: str) -> None:
        if (function.name, name) in self.seen:
            return
        self.seen.add((function.name, name))
        unit, count = self.unit, self.counts[function.name]
        if has_directive(unit, function.span) or function.body is None:
            raise _Refusal(f"there are directives of the preprocessor in `{function.name}`")
        variables = Locals(unit, function)
        if count in variables.changed or len(variables.declared.get(count, [])) > 1:
            raise _Refusal(f"`{count}` is changed in `{function.name}`")
        declared = variables.declared.get(name, [])
        if len(declared) != 1 or name in variables.parameters:
            raise _Refusal(f"`{name}` is no variable of `{function.name}` itself")
        self._declared(function, declared[0])
        parents = {id(child): node for node in inside(function.body) for child in _below(node)}
        for node in inside(function.body):
            if isinstance(node, syn.Name) and node.name == name:
                self._host_use(function, node, parents)
        self._members(function.body, name, count, {declared[0].span})
        self._nothing_else(function, name)

    def _declared(self, function: syn.FunctionDecl, one: syn.VarDecl) -> None:
        statement = next(n for n in inside(function) if isinstance(n, syn.DeclStmt) and one in n.declarations)
        first = one.name_span.start
        for other in statement.declarations:
            if not isinstance(other, syn.VarDecl) or not isinstance(_structure(self.unit, other.type), _Structure):
                raise _Refusal(f"`{one.name}` is declared together with others in line {self.unit.line(one.span)}")
            first = min(first, other.name_span.start)
            self.pending.append((function, other.name))
        self._retyped(Span(one.span.file, statement.span.start, first), one.expansion)
        if one.init is not None:
            self._value(function, one.init)

    def _value(self, function: syn.FunctionDecl, value: syn.Expr) -> None:
        """What a pointer of the host is set to: memory for all elements, or nothing."""
        inner = value.operand if isinstance(value, syn.Cast) else value
        match inner:
            case syn.Literal():
                return
            case syn.Name(name="NULL" | "nullptr"):
                return
            case syn.Call(callee=syn.Name(name="malloc"), args=(size,)) if (
                self._elements(size) == self.counts[function.name]
            ):
                if isinstance(value, syn.Cast):
                    self._retyped(value.type.span, value.expansion)
                return
            case _:
                raise _Refusal(f"the pointer is set in line {self.unit.line(value.span)} to what is not understood")

    def _host_use(self, function: syn.FunctionDecl, node: syn.Name, parents: Mapping[int, syn.Node]) -> None:
        unit = self.unit
        parent = parents.get(id(node))
        argument: syn.Node = node
        while isinstance(parent, syn.Cast) or (isinstance(parent, syn.Unary) and parent.op == "&"):
            argument, parent = parent, parents.get(id(parent))
        match parent:
            case syn.Subscript() if argument is node and isinstance(parents.get(id(parent)), syn.Member):
                return  # `_members` edits it, and refuses others
            case syn.Call(callee=syn.Name(name=called), args=args):
                size = {"cudaMemcpy": 2, "cudaMemset": 2}.get(called, 1 if called in _ALLOCATING else 0)
                if called in _FREEING:
                    return
                if size and len(args) > size and self._elements(args[size]) == self.counts[function.name]:
                    for other in args[:2] if called == "cudaMemcpy" else ():
                        inner = other.operand if isinstance(other, syn.Cast) else other
                        if not isinstance(inner, syn.Name):
                            raise _Refusal(f"the copy in line {unit.line(parent.span)} is not one of the whole")
                        self.pending.append((function, inner.name))
                    return
            case syn.KernelLaunch(callee=syn.Name(name=called), args=args) if argument is node:
                kernels = [d for _, d in unit.kernels() if d.name == called]
                number = next(i for i, one in enumerate(args) if one is node)
                if kernels and number < len(kernels[0].parameters) and kernels[0].parameters[number].name:
                    self.follow_kernel(kernels[0], kernels[0].parameters[number].name or "")
                    return
            case syn.Assign(op="=", target=target, value=value) if target is node:
                self._value(function, value)
                return
            case _:
                pass
        raise _Refusal(f"`{node.name}` is used in line {unit.line(node.span)} in a way that is not understood")

    # --- text ---

    def _retyped(self, span: Span, expansion: str | None) -> None:
        """The structure's name in a declaration or a cast becomes the type of its members."""
        text = self.unit.text[span.start : span.end]
        found = list(re.finditer(rb"\b(?:struct\s+)?" + self.structure.name.encode() + rb"\b", text))
        if len(found) != 1 or expansion is not None:
            raise _Refusal(f"the declaration in line {self.unit.line(span)} is not understood")
        at = Span(span.file, span.start + found[0].start(), span.start + found[0].end())
        self.edits[at] = Edit(at, self.structure.element)

    def _members(self, body: syn.Node, name: str, pitch: str, declared: set[Span]) -> None:
        for node in inside(body):
            if not isinstance(node, syn.Member) or _element(node) != name:
                continue
            base = node.base
            assert isinstance(base, syn.Subscript)
            if node.arrow or node.expansion is not None or node.name not in self.structure.members:
                raise _Refusal(f"the access in line {self.unit.line(node.span)} is not understood")
            if any(isinstance(one, syn.Member) and one is not node and _element(one) for one in inside(base.index)):
                raise _Refusal(f"an element is the index of another one in line {self.unit.line(node.span)}")
            position = self.structure.members.index(node.name)
            own = bracketed(self.unit, base.index)
            index = own if not position else f"{pitch} + {own}" if position == 1 else f"{position} * {pitch} + {own}"
            if not position:
                index = self.unit.spelled(base.index.span)
            self.edits[node.span] = Edit(node.span, f"{name}[{index}]")

    def _nothing_else(self, function: syn.FunctionDecl, name: str) -> None:
        """Refuses where the name also stands in what the tree does not have, or an element is used as a whole."""
        known: set[int] = set()
        bases = {id(n.base): n for n in inside(function) if isinstance(n, syn.Member) and _element(n) == name}
        for node in inside(function):
            if isinstance(node, syn.Subscript) and isinstance(node.base, syn.Name) and node.base.name == name:
                if id(node) not in bases:
                    raise _Refusal(f"an element is used as a whole in line {self.unit.line(node.span)}")
            if isinstance(node, syn.Name | syn.VarDecl | syn.Parameter) and node.name == name:
                known.add(node.name_span.start if isinstance(node, syn.VarDecl) else node.span.start)
                if isinstance(node, syn.Parameter):
                    known |= set(mentions(name, node.span, self.unit.text))
        if function.is_kernel:
            used = {id(n.base.base) for n in bases.values() if isinstance(n.base, syn.Subscript)}
            for node in inside(function):
                if isinstance(node, syn.Name) and node.name == name and id(node) not in used:
                    raise _Refusal(f"`{name}` is used as a whole in line {self.unit.line(node.span)}")
        for at in mentions(name, function.span, self.unit.text):
            if at not in known:
                raise _Refusal(f"`{name}` also stands in line {self.unit.index.line_of(at)}, in what is not understood")


def _pointed(node: syn.Expr) -> str:
    """The variable whose address is given: `&p`, `(void **)&p`."""
    inner = node.operand if isinstance(node, syn.Cast) else node
    match inner:
        case syn.Unary(op="&", operand=syn.Name(name=name)):
            return name
        case _:
            return ""


def _below(node: syn.Node) -> list[syn.Node]:
    """The nodes right below a node."""
    found: list[syn.Node] = []
    skip: set[int] = set()
    for one in inside(node):
        if one is not node and id(one) not in skip:
            found.append(one)
            skip |= {id(below) for below in inside(one)}
    return found


def _moved(structure: _Structure, pitches: Mapping[str, str]) -> Moved:
    many, size = len(structure.members), structure.size

    def moved(contents: Contents, numbers: Mapping[str, int]) -> Contents | None:
        made = dict(contents)
        for name, pitch in pitches.items():
            if name not in contents:
                continue
            count = int(pitch) if pitch.isdecimal() else numbers.get(pitch)
            given = np.ascontiguousarray(contents[name]).reshape(-1).view(np.uint8)
            if count is None or len(given) > max(count, 1) * many * size:
                return None
            flat = np.zeros(count * many * size, dtype=np.uint8)
            flat[: len(given)] = given[: len(flat)]
            made[name] = np.ascontiguousarray(flat.reshape(count, many, size).transpose(1, 0, 2).reshape(-1))
        return made

    return moved


ACTION = Action("soa", "Lay out a structure of arrays", frozenset({UNCOALESCED}), _sites, _rewrite)
