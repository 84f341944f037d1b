"""Launches that stay the same however large the input is, beside others of the same function that grow with it: what merges so many parts.

    void counted(int *counts, const int *data, int bytes) {
        parts<<<240, 256>>>(partial, data, bytes / 4);   // each thread goes through as much as there is
        merged<<<256, 64>>>(counts, partial, 240);       // 240 parts, whatever is counted
    }

One hands an array to the other: it is the only one that both are handed, no other launch of the function is handed it, each has another one as well (or
this one works in place), and not both take it as `const`, as far as heads of kernels say.  (Kernels that go over the same input in two ways, or try things out on one array, have
nothing else to do with each other.)  The other is made wherever this one is (in all of its loops, on the same sides of conditions), and is over blocks
that rest on an integer, or is handed one, that is no constant of the program or of the device.  In the second case its own report has to say that what a
thread does is not fixed (report/findings/light_kernels.py): the integer may be a seed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis_core.ir.launch_site import Growing
from analysis_core.program.host.host_calls import bare_name
from analysis_core.program.host.host_flow import names_in
from analysis_core.program.host.size_products import Sizes, constant_of
from analysis_core.program.launch_choices import are_alternatives
from analysis_core.program.launch_extents import Launched
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, uncast
from analysis_core.text.span import Span

_INTEGERS = frozenset(
    ["int", "unsigned", "signed", "long", "short", "size_t", "uint", "ulong", "ssize_t", "ptrdiff_t"]
) | {f"{sign}int{width}_t" for sign in ("", "u") for width in (16, 32, 64)}


Heads = Mapping[str, Sequence[syn.FunctionDecl]]
"""Declarations of kernels by name, of which no more than the head may be looked at: reports rest on the body of no other kernel."""


@dataclass(frozen=True, slots=True)
class _Made:
    """A launch with its arguments: `numbers`, whether one is an integer of the input; `grows`: whether the number of its blocks rests on such; `arrays`:
    names of others, and `written`, of those that it may write to; `sides`: of conditions around it."""

    launch: Launched
    numbers: bool
    grows: bool
    arrays: frozenset[str]
    written: frozenset[str]
    sides: frozenset[Span]


def growing_beside(
    function: syn.FunctionDecl,
    nodes: Sequence[syn.Node],
    launches: Sequence[Launched],
    constants: Collection[str],
    kernels: Heads,
) -> Mapping[Span, Growing]:
    """By launch of a fixed number of threads: the kernels beside it that grow with the input, each with whether the number of their blocks does."""
    few = [one.span for one in launches if _is_fixed(one.threads)]
    if not few or len(launches) < 2:
        return {}
    made = {one.launch.span: one for one in _made(function, nodes, launches, constants, kernels)}
    found: dict[Span, Growing] = {}
    for one in (made[span] for span in few if span in made):
        others = [
            other for other in made.values() if _is_beside(one, other) and _is_handed_on(one, other, made.values())
        ]
        grown = {other.launch.kernel: other.grows for other in others if other.numbers or other.grows}
        if grown:
            found[one.launch.span] = tuple(sorted(grown.items()))
    return found


def _is_fixed(threads: Sizes | None) -> bool:
    """Whether a launch is over a number of threads that nothing changes."""
    return threads is not None and constant_of(threads) is not None


def _made(
    function: syn.FunctionDecl,
    nodes: Sequence[syn.Node],
    launches: Sequence[Launched],
    constants: Collection[str],
    kernels: Heads,
) -> Iterator[_Made]:
    by_place = {one.span: one for one in launches}
    integers = _integers(function, nodes)
    inputs = integers - _of_the_device(nodes) - set(constants)
    sides = [side for node in nodes for side in _sides(node)]
    for node in nodes:
        if isinstance(node, syn.KernelLaunch) and node.span in by_place:
            launch = by_place[node.span]
            named = [names_in(arg) - set(constants) for arg in node.args]
            numbers = any(names <= integers and not names.isdisjoint(inputs) for names in named)
            grows = not inputs.isdisjoint(_sized_by(launch))
            arrays = frozenset(name for arg in node.args for name in _array(arg)) - integers - set(constants)
            read = {
                name
                for n, arg in enumerate(node.args)
                if _is_read(kernels.get(launch.kernel, ()), n)
                for name in _array(arg)
            }
            around = frozenset(side for side in sides if side.encloses(node.span))
            yield _Made(launch, numbers, grows, arrays, arrays - read, around)


def _is_read(declared: Sequence[syn.FunctionDecl], number: int) -> bool:
    """Whether the heads of a kernel say that it only reads what a parameter points to."""
    types = [one.parameters[number].type for one in declared if number < len(one.parameters)]
    return bool(types) and all(isinstance(t, syn.PointerTo) and "const" in t.target.qualifiers for t in types)


def _sized_by(launch: Launched) -> Iterator[str]:
    """What the number of its blocks grows with."""
    return (name for product in launch.blocks or () for name, power in product if power > 0)


def _integers(function: syn.FunctionDecl, nodes: Iterable[syn.Node]) -> frozenset[str]:
    """The integers among the parameters and variables of a function, of which sizes are."""
    parameters = {one.name for one in function.parameters if one.name and _is_integer(one.type)}
    variables = {node.name for node in nodes if isinstance(node, syn.VarDecl) and _is_integer(node.type)}
    return frozenset(parameters | variables)


def _is_integer(type: syn.TypeNode) -> bool:
    return isinstance(type, syn.NamedType) and set(type.name.rpartition("::")[2].split()) <= _INTEGERS


def _of_the_device(nodes: Iterable[syn.Node]) -> frozenset[str]:
    """The variables that the runtime is asked to set, and those that are made of its answers or of constants."""
    asked = {name for node in nodes for name in _asked_for(node)}
    made = [n for n in nodes if isinstance(n, syn.VarDecl) and n.init is not None]
    while more := {v.name for v in made if v.init is not None and _is_told(v.init, asked)} - asked:
        asked |= more
    return frozenset(asked)


def _asked_for(node: syn.Node) -> Iterator[str]:
    if isinstance(node, syn.Call) and bare_name(node.callee).startswith("cuda"):
        for arg in node.args:
            if isinstance(arg, syn.Unary) and arg.op == "&":
                yield from names_in(arg)


def _is_told(value: syn.Expr, asked: Collection[str]) -> bool:
    """Whether an expression is made of nothing but constants and these."""
    parts = list(inside(value))
    return all(part.name in asked for part in parts if isinstance(part, syn.Name)) and not any(
        isinstance(part, syn.Call) for part in parts
    )


def _array(arg: syn.Expr) -> Iterator[str]:
    """The variable that an argument is, or the array that it leads into."""
    arg = uncast(arg)
    if isinstance(arg, syn.Binary) and arg.op in ("+", "-"):
        arg = uncast(arg.left)
    elif isinstance(arg, syn.Unary) and arg.op == "&":
        arg = arg.operand
        while isinstance(arg, syn.Subscript):
            arg = arg.base
    if isinstance(arg, syn.Name):
        yield arg.name


def _sides(node: syn.Node) -> Iterator[Span]:
    match node:
        case syn.If(then=then, otherwise=otherwise):
            yield from (side.span for side in (then, otherwise) if side is not None)
        case syn.Switch(body=body) | syn.Lambda(body=body):
            yield body.span
        case _:
            pass


def _is_beside(one: _Made, other: _Made) -> bool:
    """Whether another kernel is launched wherever this one is, and handed an array of it."""
    mine, theirs = one.launch, other.launch
    if mine.kernel == theirs.kernel or are_alternatives(mine.choices, theirs.choices):
        return False
    return other.sides <= one.sides and mine.rounds.keys() <= theirs.rounds.keys()


def _is_handed_on(one: _Made, other: _Made, made: Iterable[_Made]) -> bool:
    """Whether one array leads from one launch to the other, and to no third."""
    shared = one.arrays & other.arrays
    if any(third is not one and third is not other and not shared.isdisjoint(third.arrays) for third in made):
        return False
    both = len(one.arrays) == 1 or len(one.arrays) > len(shared)
    return len(shared) == 1 and both and len(other.arrays) > 1 and not shared.isdisjoint(one.written | other.written)
