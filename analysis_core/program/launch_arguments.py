"""What is seen of the arguments of a launch: alignments of pointers that are moved, values of sizes, pointers that are null.

int n = 4096; .. k<<<grid, block>>>(p + 1, n, NULL)       `p` is aligned to its elements, `n` is 4096 here, and the last one null
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from analysis_core.ir import comparisons, constants, layout
from analysis_core.ir.launch_site import SizeRange
from analysis_core.ir.types import OpaqueType, PointerType
from analysis_core.lower.context import Lowering
from analysis_core.lower.library.warp_primitives import spelled
from analysis_core.lower.objects import bind_parameters, conversions
from analysis_core.lower.statements import lower_expressions
from analysis_core.program.host import host_flow
from analysis_core.program.host.host_constants import host_constant
from analysis_core.program.host.host_state import HostWalk
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import uncast

ALLOCATOR_ALIGNMENT = 256
"""Bytes: what cudaMalloc guarantees (CUDA C++ Programming Guide, device memory accesses)."""


def alignments(host: HostWalk, declaration: syn.FunctionDecl, args: Sequence[syn.Expr]) -> tuple[tuple[str, int], ...]:
    """Parameter name and proven alignment in bytes (a power of two) of pointer arguments that are moved: `p + c`, `&p[c]`, and a variable
    that is made of such, or moved, anywhere in the function of the host (`e = d; e += 5;`)."""
    found = []
    for parameter, arg in zip(declaration.parameters, args):
        aligned = ALLOCATOR_ALIGNMENT
        waiting, seen = [arg], set[str]()
        while waiting:
            part = waiting.pop()
            aligned = math.gcd(aligned, _moved(host.ctx, part))
            base = _base(part)
            if isinstance(base, syn.Conditional):
                waiting += (base.then, base.otherwise)
            if (
                isinstance(base, syn.Name)
                and base.name not in seen
                and isinstance(lower_expressions.type_of_expression(host.ctx, base), PointerType)
            ):
                seen.add(base.name)
                waiting += _moves(host).get(base.name, ())
        if parameter.name is not None and aligned != ALLOCATOR_ALIGNMENT:
            found.append((parameter.name, aligned))
    return tuple(found)


def _moved(ctx: Lowering, arg: syn.Expr) -> int:
    """The alignment that is left of the allocator's by what is added in the argument itself."""
    aligned = ALLOCATOR_ALIGNMENT
    for pointer, offset in _offsets(arg):
        type = lower_expressions.type_of_expression(ctx, pointer)
        size = _element_size(type) or 1 if isinstance(type, PointerType) else 0
        moved = constants.whole(lower_expressions.constant(ctx, offset))
        aligned = math.gcd(aligned, abs(moved) * size if moved is not None else size)
    return aligned


def _element_size(type: PointerType) -> int | None:
    """The bytes from one element to the next, None where nobody says them."""
    return None if layout.is_guessed(type.target) else layout.size_of(type.target)


def _moves(host: HostWalk) -> Mapping[str, Sequence[syn.Expr]]:
    if host.function.moves is None:
        host.function.moves = {} if host.function.body is None else host_flow.pointer_moves(host.function.body)
    return host.function.moves


def _base(arg: syn.Expr) -> syn.Expr:
    """What an argument's offsets start from."""
    last = arg
    for pointer, _ in _offsets(arg):
        last = pointer
    match last:
        case syn.Binary(op="+" | "-", left=left):
            return uncast(left)
        case syn.Unary(op="&", operand=syn.Subscript(base=base)):
            return uncast(base)
        case _:
            return uncast(last)


def unplaced(host: HostWalk, declaration: syn.FunctionDecl, args: Sequence[syn.Expr]) -> tuple[str, ...]:
    """The pointers that are members of something, or that the host's function is handed: whoever made them may have moved them
    (`data.b = b + 1`)."""
    found = []
    for parameter, arg in zip(declaration.parameters, args):
        if parameter.name is not None and (is_handed(host, arg) or isinstance(uncast(arg), syn.Member)):
            found.append(parameter.name)
    return tuple(found)


def same(
    host: HostWalk, declaration: syn.FunctionDecl, args: Sequence[syn.Expr]
) -> tuple[tuple[str, str, int | None], ...]:
    """Two pointer parameters each that are given one array, and how many bytes the second lies behind the first, None if that is not
    constant: `k<<<..>>>(p, p + 1)`."""
    given = [
        (parameter.name, spelled(_base(arg)), _bytes_added(host.ctx, arg))
        for parameter, arg in zip(declaration.parameters, args)
        if parameter.name is not None
        and isinstance(parameter.type, syn.PointerTo)
        and not isinstance(_base(arg), syn.Literal)
    ]
    return tuple(
        (name, other, None if start is None or end is None else end - start)
        for n, (name, base, start) in enumerate(given)
        for other, there, end in given[n + 1 :]
        if base == there
    )


def _bytes_added(ctx: Lowering, arg: syn.Expr) -> int | None:
    """How far an argument lies behind what it starts from."""
    total = 0
    for pointer, offset in _offsets(arg):
        type = lower_expressions.type_of_expression(ctx, pointer)
        size = _element_size(type) if isinstance(type, PointerType) else None
        moved = constants.whole(lower_expressions.constant(ctx, offset))
        if size is None or moved is None:
            return None
        total += -moved * size if isinstance(pointer, syn.Binary) and pointer.op == "-" else moved * size
    return total


def is_handed(host: HostWalk, arg: syn.Expr) -> bool:
    """Whether this is a parameter of the host's function."""
    arg = uncast(arg)
    return isinstance(arg, syn.Name) and arg.name in host.function.parameters


def ranges(host: HostWalk, declaration: syn.FunctionDecl, args: Sequence[syn.Expr]) -> tuple[SizeRange, ...]:
    """What is seen of the values of parameters; a null pointer is 0 at least and at most."""
    found = []
    for position, parameter in enumerate(declaration.parameters):
        arg = args[position] if position < len(args) else parameter.default
        if parameter.name is None or arg is None:
            continue
        if _is_null(parameter.type, uncast(arg)):
            found.append(SizeRange(parameter.name, 0, 0))
        elif (seen := _tested(host, parameter.name, arg)) is not None:
            found.append(seen)
        elif is_size(host.ctx, parameter) and (value := number(host.ctx, arg)) is not None:
            found.append(SizeRange(parameter.name, value, value))
    return tuple(found)


MOST_ROOM = 2048
"""Bytes: in more, 32 lanes find a sector each."""


def note_room(host: HostWalk, args: Sequence[syn.Expr]) -> None:
    """Notes the bytes that `cudaMalloc(&p, 20)` allocates for `p`, unless the function assigns `p` elsewhere."""
    name, size = host_flow.pointed(args[0]), number(host.ctx, args[1])
    if name is None or host.function.body is None:
        return
    if host.function.repointed is None:
        host.function.repointed = host_flow.repointed(host.function.body)
    if size is None or name in host.function.repointed:
        host.known.rooms[name] = MOST_ROOM  # and more
    else:
        host.known.rooms[name] = max(size, host.known.rooms.get(name, 0))


def room(host: HostWalk, arg: syn.Expr) -> int | None:
    """The bytes that an argument points into, where these are few and known."""
    arg = uncast(arg)
    found = host.known.rooms.get(arg.name) if isinstance(arg, syn.Name) else None
    return found if found is not None and found < MOST_ROOM else None


def rooms(host: HostWalk, declaration: syn.FunctionDecl, args: Sequence[syn.Expr]) -> tuple[tuple[str, int], ...]:
    """The bytes allocated for pointer arguments, by the parameter's name, where these are few and known."""
    pairs = ((p.name, room(host, arg)) for p, arg in zip(declaration.parameters, args)) if host.known.rooms else ()
    return tuple((name, found) for name, found in pairs if name is not None and found is not None)


def is_size(ctx: Lowering, parameter: syn.Parameter) -> bool:
    """Whether a parameter is of an integer type, or of one that a template is given."""
    if isinstance(parameter.type, syn.PointerTo | syn.ReferenceTo):
        return False
    type = bind_parameters.parameter_type(ctx, parameter.type)
    return type is not None and (isinstance(type, OpaqueType) or conversions.is_integer(type))


def number(ctx: Lowering, arg: syn.Expr | None) -> int | None:
    """The number that an argument is, if it is one."""
    if arg is None or isinstance(arg, syn.InitList | syn.Lambda):
        return None
    value = host_constant(ctx, arg)
    return int(value.value) if value is not None and isinstance(value.value, int) else None


def _tested(host: HostWalk, name: str, arg: syn.Expr) -> SizeRange | None:
    """What is seen of the value that an argument hands to the parameter of this name."""
    arg = uncast(arg)
    if not isinstance(arg, syn.Name):
        return None
    least: int | None = None
    most: int | None = None
    for condition, holds in host.known.conditions:
        for low, high in _bounds(host.ctx, arg.name, condition, holds):
            least = low if least is None or (low is not None and low > least) else least
            most = high if most is None or (high is not None and high < most) else most
    conditioned = least is not None or most is not None
    if arg.name in host.known.counters:
        first, step = host.known.counters[arg.name]
        return SizeRange(name, first if least is None else max(first, least), most, step)
    return SizeRange(name, least, most, condition=True) if conditioned else None


def _bounds(ctx: Lowering, name: str, condition: syn.Expr, holds: bool) -> Iterator[tuple[int | None, int | None]]:
    """The least and the most that a variable is where a condition holds, or does not, part by part."""
    match condition:
        case syn.Unary(op="!", operand=operand):
            yield from _bounds(ctx, name, operand, not holds)
        case syn.Binary(op="&&" | "||" as op, left=left, right=right) if (op == "&&") == holds:
            yield from _bounds(ctx, name, left, holds)
            yield from _bounds(ctx, name, right, holds)
        case syn.Binary(op="<" | "<=" | ">" | ">=" | "==" as op, left=left, right=right):
            for side, other, relation in comparisons.either_way(op, left, right):
                value = lower_expressions.constant(ctx, other) if _is_named(side, name) else None
                if value is not None and isinstance(value.value, int):
                    yield comparisons.bounds(relation if holds else _OPPOSITE.get(relation, ""), value.value)
        case _:
            pass


_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def _is_named(expr: syn.Expr, name: str) -> bool:
    expr = uncast(expr)
    return isinstance(expr, syn.Name) and expr.name == name


def _is_null(type_: syn.TypeNode, arg: syn.Expr) -> bool:
    if not isinstance(arg, syn.Literal):
        return False
    zero = arg.kind is syn.LiteralKind.INT and arg.text == "0"
    return arg.kind is syn.LiteralKind.NULL or (zero and isinstance(type_, syn.PointerTo))


def _offsets(arg: syn.Expr) -> Iterator[tuple[syn.Expr, syn.Expr]]:
    """Each pointer that is moved inside of an argument, and by how many elements: those of `(p + a) + b` are two."""
    while True:
        match arg:
            case syn.Cast(operand=operand):
                arg = operand
            case syn.Binary(op="+" | "-", left=left, right=right):
                yield arg, right
                arg = left
            case syn.Unary(op="&", operand=syn.Subscript(base=base, index=index)):
                yield arg, index
                arg = base
            case _:
                return
