"""The text of an expression as another thread of the block computes it: with another threadIdx, from copies of the variables that depend on it.

What may be computed again is what does nothing but compute: constants, sizes that nobody changes, the places of thread and block, variables that
are declared with a value and never changed, arithmetic, and functions that only depend on their arguments.  No loads: what another thread loads may
be another thing by then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from analysis_core.rewrite.core.action import Refused
from analysis_core.rewrite.core.source import fresh, replaced
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

PLACES = ("threadIdx", "blockIdx", "blockDim", "gridDim")
_PURE = frozenset({"min", "max", "abs", "__mul24", "__umul24", "umin", "umax"})

NONE: Mapping[str, str] = MappingProxyType({})

Places = Mapping[str, str]
"""What stands for "threadIdx.x" and so on."""


@dataclass(frozen=True, slots=True)
class Copied:
    """`lines`: declarations of the copies, in order; `texts`: of the expressions asked for."""

    lines: tuple[str, ...]
    texts: tuple[str, ...]


class Locals:
    """The variables of a function, by name, as far as their value is what their declaration says."""

    def __init__(self, unit: Unit, function: syn.FunctionDecl) -> None:
        self.unit, self.function = unit, function
        self.parameters = {p.name for p in function.parameters if p.name}
        declared: dict[str, list[syn.VarDecl]] = {}
        nodes = list(inside(function.body)) if function.body is not None else []
        for node in nodes:
            if isinstance(node, syn.DeclStmt):
                for one in node.declarations:
                    if isinstance(one, syn.VarDecl):
                        declared.setdefault(one.name, []).append(one)
        self.changed = {name for node in nodes for name in _changed(node)}
        self.declared = declared
        self.constants = {name for one in unit.tree.declarations for name in _constant_names(one)} | {
            p.name for p in function.template or () if p.name
        }

    def variable(self, name: str) -> syn.VarDecl | None:
        """The declaration of a local variable that is never changed; None for others."""
        found = self.declared.get(name, [])
        one = found[0] if len(found) == 1 else None
        if one is None or name in self.changed or name in self.parameters or one.init is None:
            return None
        return one if not one.storage - {"const", "constexpr"} else None

    def refusal(self, node: syn.Node, given: Collection[str] = ()) -> str | None:
        """Why an expression is not one that may be computed again, here or by another thread; None if it may.  `given`: variables whose value
        there is known."""
        pending, seen = [node], set[str]()
        while pending:
            for one in inside(pending.pop()):
                if isinstance(one, syn.Name) and one.name in given and one.expansion is None:
                    continue
                reason, name = self._of(one)
                if reason is not None:
                    return reason
                if name is not None and name not in seen and (variable := self.variable(name)) is not None:
                    seen.add(name)
                    assert variable.init is not None
                    pending.append(variable.init)
        return None

    def _of(self, one: syn.Node) -> tuple[str | None, str | None]:
        """Why a node may not be computed again; and the variable that it is."""
        match one:
            case _ if one.span.file != self.unit.file:
                return "a part of the index does not stand in this file", None
            case syn.Literal(kind=syn.LiteralKind.STRING):
                return "there is a string in it", None
            case syn.Literal() | syn.Conditional() | syn.Cast() | syn.SizeOf() | syn.TypeNode():
                return None, None
            case syn.Binary(op=op):
                return (None if op != "," else "there is a comma in it"), None
            case _ if one.expansion is not None and not isinstance(one, syn.Unary):
                return f"the macro `{one.expansion}` makes part of it", None
            case syn.Unary(op=op):
                return (None if op in "+-!~" else f"`{op}` is not plain arithmetic"), None
            case syn.Member(base=syn.Name(name=base), arrow=False) if base in PLACES:
                return None, None
            case syn.Call(callee=syn.Name(name=name)):
                return (None if name in _PURE else f"`{name}` is called in it"), None
            case syn.Name(name=name):
                if name in PLACES or name in _PURE or name in self.constants:
                    return None, None
                if name in self.parameters and name not in self.declared:
                    return (f"`{name}` is changed in the kernel" if name in self.changed else None), None
                return (None, name) if self.variable(name) else (f"`{name}` may change, or is not known", None)
            case _:
                return f"`{self.unit.spelled(one.span)[:40]}` may be another value by then", None

    def depends(self, node: syn.Node, axes: str = "xyz") -> bool:
        """Whether an expression depends on threadIdx along some of the axes, by itself or through variables."""
        for one in inside(node):
            if isinstance(one, syn.Member) and isinstance(one.base, syn.Name) and one.base.name == "threadIdx":
                if one.name in axes:
                    return True
            if isinstance(one, syn.Name) and (variable := self.variable(one.name)) is not None:
                assert variable.init is not None
                if self.depends(variable.init, axes):
                    return True
        return False

    def copied(
        self,
        nodes: tuple[syn.Node, ...],
        places: Places,
        again: Span | None = None,
        given: Mapping[str, str] = NONE,
        single: bool = False,
    ) -> Copied | Refused:
        """The text of expressions with other places of the thread.  Variables that depend on it stand there by their values, or, if there is more than
        one use, are declared once more under other names; those as well that are declared within `again`, which the copies stand outside of.  `given`: what other variables are there;
        `single`: no variable is declared."""
        for node in nodes:
            if (reason := self.refusal(node, given)) is not None:
                return Refused(reason)
        order: list[syn.VarDecl] = []
        uses: Counter[str] = Counter()
        for node in nodes:
            self._collect(node, "".join(axis for axis in "xyz" if f"threadIdx.{axis}" in places), again, order, uses)
        copies = dict(given)
        lines: list[tuple[str, str]] = []
        for variable in order:
            type_ = variable.type
            if not isinstance(type_, syn.NamedType) or type_.template_args or type_.expansion:
                return Refused(f"`{variable.name}` is no plain number")
            assert variable.init is not None
            text = self._text(variable.init, places, copies)
            if (single or uses[variable.name] == 1) and type_.name != "auto":
                copies[variable.name] = f"{type_.name}({text})" if type_.name == "int" else f"({type_.name})({text})"
                continue
            copies[variable.name] = fresh(self.unit, f"{variable.name}_t", frozenset(copies.values()))
            lines.append((type_.name, f"{copies[variable.name]} = {text}"))
        return Copied(tuple(_joined(lines)), tuple(self._text(node, places, copies) for node in nodes))

    def _collect(
        self, node: syn.Node, moved: str, again: Span | None, order: list[syn.VarDecl], uses: Counter[str]
    ) -> None:
        """The variables to copy, those that others are made from first, and how often each is used.  `moved`: axes along which the thread is another."""
        for one in inside(node):
            variable = self.variable(one.name) if isinstance(one, syn.Name) else None
            if variable is None or variable.init is None:
                continue
            if (moved and self.depends(variable.init, moved)) or (again is not None and again.encloses(variable.span)):
                uses[variable.name] += 1
                if uses[variable.name] == 1:
                    self._collect(variable.init, moved, again, order, uses)
                    order.append(variable)

    def _text(self, node: syn.Node, places: Places, copies: Mapping[str, str]) -> str:
        by: dict[Span, str] = {}
        for one in inside(node):
            if (
                isinstance(one, syn.Member)
                and isinstance(one.base, syn.Name)
                and f"{one.base.name}.{one.name}" in places
            ):
                by[one.span] = places[f"{one.base.name}.{one.name}"]
            elif isinstance(one, syn.Name) and one.name in copies:
                by[one.span] = copies[one.name]
        return replaced(self.unit, node, by)


def _joined(lines: list[tuple[str, str]]) -> Iterator[str]:
    """Declarations of one type in a row stand in one line."""
    type_, parts = "", list[str]()
    for one, text in lines:
        if one != type_ and parts:
            yield f"{type_} {', '.join(parts)};"
            parts = []
        type_ = one
        parts.append(text)
    if parts:
        yield f"{type_} {', '.join(parts)};"


def _changed(node: syn.Node) -> Iterator[str]:
    """The variables that a node itself may give another value, not what they point to."""
    match node:
        case syn.Assign(target=part) | syn.IncDec(operand=part) | syn.Unary(op="&", operand=part):
            parts: tuple[syn.Expr, ...] = (part,)
        case syn.Call(callee=syn.Name(name=name)) if name in _PURE:
            parts = ()
        case syn.Call(args=args) | syn.Construct(args=args):
            parts = args
        case _:
            parts = ()
    for one in parts:
        while isinstance(one, syn.Member):
            one = one.base
        if isinstance(one, syn.Name):
            yield one.name


def _constant_names(one: syn.Declaration) -> Iterator[str]:
    """The constants of the file that a declaration makes."""
    if isinstance(one, syn.EnumDef):
        yield from (name for name, _ in one.enumerators)
    elif (
        isinstance(one, syn.VarDecl)
        and ("constexpr" in one.storage or ("const" in one.storage or "const" in one.type.qualifiers))
        and isinstance(one.type, syn.NamedType)
    ):
        yield one.name
