"""What the text says of a launch and of shared memory, with parameters as symbols.

    //@ launch block=(B1, B0)               B0*B1 threads
    __shared__ float ta[B0][S * B1];        4*B0*B1*S bytes

Names that nobody defines are parameters; those of constants stand for what they are initialised with.  What else there is has no expression.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.ir.literals import integer_literal
from analysis_core.syntax.read import annotation_tree as said
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_DEEP = 40
_DIVIDES = frozenset({"/", ">>"})
_CONSTANT = frozenset({"const", "constexpr"})
_SIZES = {
    **dict.fromkeys(("char", "signed char", "unsigned char", "bool", "int8_t", "uint8_t"), 1),
    **dict.fromkeys(("short", "unsigned short", "half", "__half", "int16_t", "uint16_t"), 2),
    **dict.fromkeys(("int", "unsigned", "unsigned int", "float", "int32_t", "uint32_t"), 4),
    **dict.fromkeys(
        ("long", "long long", "unsigned long", "double", "size_t", "int64_t", "uint64_t", "float2", "int2"), 8
    ),
    **dict.fromkeys(("float4", "int4", "double2"), 16),
}


@dataclass(frozen=True, slots=True)
class Said:
    """A block in threads and what the launch adds in shared bytes, each None where it is no expression; `of_grid`: the names of parameters that
    the grid is divided by."""

    block: Expression | None
    dynamic: Expression | None
    of_grid: frozenset[str]


class Symbols:
    """The names of one syntax tree.  `parameters`: those that stay symbols."""

    def __init__(self, tree: syn.SyntaxTree, parameters: frozenset[str]) -> None:
        self.tree, self.parameters = tree, parameters
        self.nodes = [node for declaration in tree.declarations for node in inside(declaration)]
        self.variables: dict[str, list[syn.VarDecl]] = {}
        for node in self.nodes:
            if isinstance(node, syn.VarDecl):
                self.variables.setdefault(node.name, []).append(node)

    # --- what is asked ------------------------------------------------------------------------------------------------

    def launch(self, at: Span) -> Said:
        """The launch that stands there, an annotation or a call."""
        for one in self.tree.annotations:
            if isinstance(one.said, said.LaunchAnnotation) and one.said.span == at:
                threads = _product(self.term(term) for term in one.said.block)
                return Said(threads, ex.ZERO, frozenset(name for term in one.said.grid for name in self._in_term(term)))
        for node in self.nodes:
            if isinstance(node, syn.KernelLaunch) and node.span == at and len(node.config) >= 2:
                grid, block, *more = node.config
                return Said(
                    self.extents(block),
                    self.value(more[0]) if more else ex.ZERO,
                    frozenset(self._divisors(grid, False, set())),
                )
        return Said(None, None, frozenset())

    def function(self, name_span: Span) -> syn.FunctionDecl | None:
        """The function whose name stands there."""
        return next((n for n in self.nodes if isinstance(n, syn.FunctionDecl) and n.name_span == name_span), None)

    def elements(self, name_span: Span) -> Expression | None:
        """How many elements a declared array has."""
        found = next((n for n in self.nodes if isinstance(n, syn.VarDecl) and n.name_span == name_span), None)
        return None if found is None else self.count(found.type)

    def count(self, type_: syn.TypeNode) -> Expression | None:
        extents: list[Expression | None] = []
        while isinstance(type_, syn.ArrayOf):
            extents.append(None if type_.extent is None else self.value(type_.extent))
            type_ = type_.element
        return _product(extents)

    # --- expressions of C ---------------------------------------------------------------------------------------------

    def extents(self, expr: syn.Expr, depth: int = _DEEP) -> Expression | None:
        """The product of the parts of a `dim3`."""
        match expr:
            case (
                syn.Construct(args=args) | syn.Call(callee=syn.Name(name="dim3"), args=args) | syn.InitList(items=args)
            ):
                return _product(self.value(arg, depth) for arg in args)
            case syn.Cast(type=syn.NamedType(name="dim3"), operand=operand):
                return self.value(operand, depth)
            case syn.Name(name=name):
                found = self.variables.get(name, [])
                if len(found) == 1 and found[0].init is not None and depth and not self._is_number(found[0]):
                    return self.extents(found[0].init, depth - 1)
            case _:
                pass
        return self.value(expr, depth)

    @staticmethod
    def _is_number(variable: syn.VarDecl) -> bool:
        return isinstance(variable.type, syn.NamedType) and variable.type.name != "dim3"

    def value(self, expr: syn.Expr, depth: int = _DEEP) -> Expression | None:
        """An integer expression over parameters, or None."""
        if not depth:
            return None
        match expr:
            case syn.Literal(kind=syn.LiteralKind.INT, text=text):
                found = integer_literal(text)
                return None if found is None else ex.integer(int(found.value))
            case syn.Name(name=name, template_args=None):
                return self._named(name, depth)
            case syn.Cast(operand=operand):
                return self.value(operand, depth - 1)
            case syn.Unary(op="+" | "-" as op, operand=operand):
                inner = self.value(operand, depth - 1)
                return inner if inner is None or op == "+" else ex.scale(-1, inner)
            case syn.SizeOf(operator="sizeof", operand=syn.NamedType(name=name)) if name in _SIZES:
                return ex.integer(_SIZES[name])
            case syn.SizeOf(operator="sizeof", operand=syn.Name(name=name)) if name in _SIZES:
                return ex.integer(_SIZES[name])
            case syn.Binary(op=op, left=left, right=right):
                return _combined(op, self.value(left, depth - 1), self.value(right, depth - 1))
            case _:
                return None

    def _named(self, name: str, depth: int) -> Expression | None:
        if name in self.parameters:
            return ex.symbol(name)
        found = self.variables.get(name, [])
        if len(found) != 1 or found[0].init is None or not isinstance(found[0].type, syn.NamedType):
            return None
        is_constant = bool(_CONSTANT & (found[0].storage | found[0].type.qualifiers))
        return self.value(found[0].init, depth - 1) if is_constant else None

    def _divisors(self, expr: syn.Expr, divides: bool, seen: set[tuple[str, bool]]) -> Iterator[str]:
        """The parameters that an expression of the host divides by, also through its variables; of a call `divide_up(n, B)` all but the first argument is
        taken to be a divisor."""
        match expr:
            case syn.Name(name=name) if (name, divides) not in seen:
                seen.add((name, divides))
                if name in self.parameters:
                    yield from (name,) if divides else ()
                for variable in self.variables.get(name, []) if name not in self.parameters else ():
                    if variable.init is not None:
                        yield from self._divisors(variable.init, divides, seen)
            case syn.Binary(op=op, left=left, right=right):
                yield from self._divisors(left, divides, seen)
                yield from self._divisors(right, divides or op in _DIVIDES, seen)
            case (
                syn.Construct(args=args) | syn.InitList(items=args) | syn.Call(callee=syn.Name(name="dim3"), args=args)
            ):
                for arg in args:
                    yield from self._divisors(arg, divides, seen)
            case syn.Call(args=args):
                for number, arg in enumerate(args):
                    yield from self._divisors(arg, divides or number > 0, seen)
            case syn.Cast(operand=operand) | syn.Unary(operand=operand) | syn.Member(base=operand):
                yield from self._divisors(operand, divides, seen)
            case syn.Conditional(then=then, otherwise=otherwise):
                yield from self._divisors(then, divides, seen)
                yield from self._divisors(otherwise, divides, seen)
            case _:
                pass

    # --- terms of annotations -----------------------------------------------------------------------------------------

    def term(self, term: said.Term) -> Expression | None:
        match term:
            case said.Number(value=value):
                return ex.integer(value)
            case said.Name(name=name):
                return self._named(name, _DEEP)
            case said.Unary(op="+" | "-" as op, operand=operand):
                inner = self.term(operand)
                return inner if inner is None or op == "+" else ex.scale(-1, inner)
            case said.Binary(op=op, left=left, right=right):
                return _combined(op, self.term(left), self.term(right))
            case _:
                return None

    def _in_term(self, term: said.Term, divides: bool = False) -> Iterator[str]:
        """The parameters that a term divides by."""
        match term:
            case said.Name(name=name) if name in self.parameters and divides:
                yield name
            case said.Unary(operand=operand):
                yield from self._in_term(operand, divides)
            case said.Binary(op=op, left=left, right=right):
                yield from self._in_term(left, divides)
                yield from self._in_term(right, divides or op in _DIVIDES)
            case said.Call(function=function, args=args):
                for number, arg in enumerate(args):
                    yield from self._in_term(arg, divides or (function == "ceil_div" and number > 0))
            case _:
                pass


def _product(parts: Iterable[Expression | None]) -> Expression | None:
    total: Expression = ex.ONE
    for part in parts:
        if part is None:
            return None
        total = ex.multiply(total, part)
    return total


def _combined(op: str, left: Expression | None, right: Expression | None) -> Expression | None:
    if left is None or right is None:
        return None
    match op:
        case "+":
            return ex.add(left, right)
        case "-":
            return ex.subtract(left, right)
        case "*":
            return ex.multiply(left, right)
        case "/" if right != ex.ZERO:
            return ex.floor_div(left, right)
        case "<<" if (by := ex.constant(right)) is not None and 0 <= by < 62:
            return ex.scale(1 << by, left)
        case _:
            return None
