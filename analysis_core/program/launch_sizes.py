"""Numbers that reach the arguments of launches through calls and variables of file scope: for the sizes of shares and findings only.

    int rows = 4096;                                              never assigned again: 4096
    void run(float *p, int n) { k<<<n / 256, 256>>>(p, n, rows); }    every call in view passes 64: n is 64
    int main() { int n = 64; run(p, n); }
    int main(int argc, char **argv) { int n = atoi(argv[1]); .. }     where it is known what the program is run with (run_arguments.py)

The functions that such numbers pass through are walked once more, callers first, each with what all calls of it agree on.  Bounds are those of
the launch as its own function tells it (`launches`); where that leaves the block open, the one that these numbers lead to is a guess (`LaunchSite.usual`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from math import prod
from typing import TypeVar

from analysis_core.ir.launch_site import LaunchSite, SizeRange
from analysis_core.ir.nodes import Const
from analysis_core.lower.context import Lowering
from analysis_core.lower.objects import bind_parameters
from analysis_core.lower.statements import inline
from analysis_core.lower.values import Operand, Value
from analysis_core.machine.sizes import WARP
from analysis_core.program import launch_arguments
from analysis_core.program.host import host_constants, host_flow, host_state, host_walk
from analysis_core.program.host.host_calls import Calls
from analysis_core.program.host.host_constants import Settled
from analysis_core.program.host.run_arguments import as_run
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, uncast
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

K = TypeVar("K")

Numbers = tuple[int | None, ...]
"""What is passed for each argument, None where that is not one number; to a kernel, for pointers into few bytes how many these are."""

_LEADING = syn.PointerTo | syn.ReferenceTo | syn.ArrayOf
"""Types of parameters that callers are not asked for: what these lead to may change."""

_UNKNOWN: Numbers = (None,) * 64
"""As many arguments as a call of another file may have."""


@dataclass(slots=True)
class Passed:
    """`launches`, `blocks`: their extents, and `warps`: how many these have, all blocks together: by the place of a launch;
    `calls`: by the name of a function."""

    launches: dict[Span, Numbers] = field(default_factory=dict)
    blocks: dict[Span, Numbers] = field(default_factory=dict)
    warps: dict[Span, Numbers] = field(default_factory=dict)
    calls: dict[str, Numbers] = field(default_factory=dict)


def with_all_numbers(
    ctx: Lowering, hosts: Sequence[syn.FunctionDecl], calls: Calls, settled: Settled, is_open: bool
) -> Callable[[syn.FunctionDecl, LaunchSite | None], LaunchSite | None]:
    """A launch of a kernel with the numbers that reach its arguments through calls, and then with those of the run of the program.  Where nobody
    knows what it is run with, and blocks are open (`is_open`), with the block that it has in a run without words, and nothing else of that."""
    words = ctx.unit.settings.run_arguments
    each = [passed_numbers(ctx, hosts, calls, settled)]
    each.append(passed_numbers(ctx, hosts, calls, settled, words, as_it_is_run=True))
    plain = Passed()
    if words is None and is_open:
        plain = passed_numbers(ctx, hosts, calls, settled, (), as_it_is_run=True)

    def sized(kernel: syn.FunctionDecl, site: LaunchSite | None) -> LaunchSite | None:
        if site is None:
            return None
        site = with_block(site, plain)
        for run, passed in enumerate(each):
            if site.span in passed.launches:
                site = with_numbers(ctx, kernel, site, passed, bool(run))
        return site

    return sized


def passed_numbers(
    ctx: Lowering,
    hosts: Sequence[syn.FunctionDecl],
    calls: Calls,
    settled: Settled,
    words: tuple[str, ...] | None = None,
    as_it_is_run: bool = False,
) -> Passed:
    """The numbers that launches pass, by their places, as far as callers and variables of file scope tell them.  Calls in other files of
    the program count as calls.  `as_it_is_run`: with these words, which the program is run with; nothing where that tells nothing."""
    said, run = ctx.unit.tree.beyond.numbers, frozenset[int]()
    if as_it_is_run:
        hosts, calls, run = as_run(ctx.unit, hosts, calls, words)
        said = ctx.unit.tree.beyond.run_numbers
        if not run and said == ctx.unit.tree.beyond.numbers:
            return Passed()
    flows, asked = _asked(ctx, hosts, calls, {})
    beyond = {name: numbers or _UNKNOWN for name, numbers in said if name in asked}
    return _walked(ctx, hosts, calls, settled, flows, asked, Passed(calls=beyond), run)


def numbers_handed(
    ctx: Lowering, hosts: Sequence[syn.FunctionDecl], calls: Calls, outer: Collection[str], as_it_is_run: bool = False
) -> Mapping[str, Numbers]:
    """What all calls of functions of another file (`outer`) hand these, by name; () where it is not known."""
    called = {name for d in hosts for name in calls[id(d)][1] if name in outer}
    if not called:
        return {}
    run = frozenset[int]()
    if as_it_is_run:
        hosts, calls, run = as_run(ctx.unit, hosts, calls, ctx.unit.settings.run_arguments)
    wanted = dict.fromkeys(called, frozenset(range(len(_UNKNOWN))))
    flows, asked = _asked(ctx, hosts, calls, wanted)
    passed = _walked(ctx, hosts, calls, Settled(ctx, hosts), flows, asked, Passed(), run).calls
    return {name: passed.get(name, ()) for name in called}


def agreed(one: Numbers | None, other: Numbers) -> Numbers:
    """What two say alike; () where they agree about nothing."""
    same = other if one is None else tuple(a if a == b else None for a, b in zip(one, other))
    return same if any(number is not None for number in same) else ()


def _walked(
    ctx: Lowering,
    hosts: Sequence[syn.FunctionDecl],
    calls: Calls,
    settled: Settled,
    flows: Mapping[int, host_flow.Flow],
    asked: Mapping[str, frozenset[int]],
    passed: Passed,
    run: Collection[int],
) -> Passed:
    """What launches and calls pass, where those calls are known already that `passed` has.  `run`: by identity, functions that
    tell more than before by themselves."""
    own = {id(d): _file_scope(settled, d, flows[id(d)]) for d in hosts if id(d) in flows}
    if not asked and not any(own.values()) and not run:
        return passed
    concerned = [d for d in hosts if id(d) in flows or calls[id(d)][1] & asked.keys()]
    for declaration, all_known in _callers_first(concerned, calls):
        handed = _agreed(ctx, declaration, asked, passed) if all_known else {}
        known = {**own.get(id(declaration), {}), **handed}
        if id(declaration) not in run and not known and calls[id(declaration)][1].isdisjoint(asked):
            continue  # It tells no more than before.
        host = host_state.HostWalk(ctx, lambda walk, expr: _visit(passed, asked, walk, expr))
        with ctx.scratch():
            host_walk.walk(host, declaration, inline.function_scope(declaration, {}), known)
    return passed


def with_numbers(
    ctx: Lowering, declaration: syn.FunctionDecl, site: LaunchSite, passed: Passed, run: bool
) -> LaunchSite:
    """The launch with what is passed for the kernel's parameters of which nothing was seen before: sizes, and bytes for pointers; and with
    its warps.  `run`: that is so as the program is run."""
    numbers, (warps,) = passed.launches.get(site.span, ()), passed.warps.get(site.span, (None,))
    told = site.arguments
    seen = {one.name for one in told.ranges} | {name for name, _ in told.rooms}
    ranges, rooms = list(told.ranges), list(told.rooms)
    for parameter, number in zip(declaration.parameters, numbers):
        if number is None or parameter.name is None or parameter.name in seen:
            continue
        if launch_arguments.is_size(ctx, parameter):
            ranges.append(SizeRange(parameter.name, number, number, run=run))
        elif isinstance(parameter.type, syn.PointerTo):
            rooms.append((parameter.name, number))
    site = with_block(site, passed)
    arguments = replace(told, ranges=tuple(ranges), rooms=tuple(rooms))
    profile = replace(site.profile, warps=warps or site.profile.warps)
    return replace(site, arguments=arguments, profile=profile)


def with_block(site: LaunchSite, passed: Passed) -> LaunchSite:
    """The launch with the block that numbers lead to, where it has none of its own."""
    match passed.blocks.get(site.span, ()):
        case (int() as x, int() as y, int() as z) if site.block is None:
            return replace(site, usual=(x, y, z))
        case _:
            return site


def _asked(
    ctx: Lowering, hosts: Sequence[syn.FunctionDecl], calls: Calls, outer: Mapping[str, frozenset[int]]
) -> tuple[dict[int, host_flow.Flow], dict[str, frozenset[int]]]:
    """The flows of the functions that launch or hand sizes on, by identity, and the parameters that they, and those of other files
    (`outer`), ask their callers for."""
    flows: dict[int, host_flow.Flow] = {}
    asked: dict[str, frozenset[int]] = dict(outer)
    waiting = [d for d in hosts if calls[id(d)][0] or calls[id(d)][1] & outer.keys()]
    while waiting:
        fresh: set[str] = set()
        for declaration in waiting:
            flow = flows[id(declaration)] = host_flow.size_flow(declaration, asked)
            wanted = host_flow.parameters_asked(declaration, flow) - asked.get(declaration.name, frozenset())
            wanted = frozenset(n for n in wanted if not isinstance(declaration.parameters[n].type, _LEADING))
            if wanted:
                asked[declaration.name] = asked.get(declaration.name, frozenset()) | wanted
                fresh.add(declaration.name)
        waiting = [d for d in hosts if calls[id(d)][1] & fresh]
    return flows, asked


def _file_scope(settled: Settled, declaration: syn.FunctionDecl, flow: host_flow.Flow) -> dict[str, Operand]:
    """The variables of file scope that sizes rest on, where they keep their value."""
    own = {parameter.name for parameter in declaration.parameters}
    found = settled.among(flow.behind(flow.blocks) - own, inline.function_scope(declaration, {}))
    return {name: value for name, (value, _) in found.items()}


def _callers_first(hosts: Sequence[syn.FunctionDecl], calls: Calls) -> list[tuple[syn.FunctionDecl, bool]]:
    """The functions, each after those that call it as far as none calls itself, and whether all of these come before it."""
    callers = {d.name: [c for c in hosts if d.name in calls[id(c)][1]] for d in hosts}
    order: dict[int, tuple[syn.FunctionDecl, bool]] = {}
    begun: set[int] = set()
    waiting = list(reversed(hosts))
    while waiting:
        declaration = waiting[-1]
        begun.add(id(declaration))
        missing = [c for c in callers[declaration.name] if id(c) not in begun]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        if id(declaration) not in order:
            order[id(declaration)] = declaration, all(id(c) in order for c in callers[declaration.name])
    return list(order.values())


def _agreed(
    ctx: Lowering, declaration: syn.FunctionDecl, asked: Mapping[str, frozenset[int]], passed: Passed
) -> dict[str, Operand]:
    """The parameters for which all calls pass one number."""
    numbers = passed.calls.get(declaration.name, ())
    known: dict[str, Operand] = {}
    for number in asked.get(declaration.name, ()) if numbers else ():
        if number >= len(declaration.parameters):
            continue
        parameter = declaration.parameters[number]
        value = numbers[number] if number < len(numbers) else launch_arguments.number(ctx, parameter.default)
        type = bind_parameters.parameter_type(ctx, parameter.type)
        if parameter.name is not None and value is not None and type is not None:
            if launch_arguments.is_size(ctx, parameter):
                known[parameter.name] = Value(Const(value, type), type)
    return known


def _visit(passed: Passed, asked: Mapping[str, frozenset[int]], host: host_state.HostWalk, expr: syn.Expr) -> None:
    """Notes what the launches and calls in an expression pass."""
    if host.dead:
        return
    for node in inside(expr, lambdas=False):
        match node:
            case syn.KernelLaunch(config=config, args=args):
                each = ((launch_arguments.room(host, arg), arg) for arg in args)
                found = (_number(host.ctx, arg) if room is None else room for room, arg in each)
                _note(passed.launches, node.span, tuple(found))
                _note(passed.blocks, node.span, host_constants.dims(host.ctx, config[1]) if len(config) > 1 else ())
                _note(passed.warps, node.span, (_warps(host.ctx, config),))
            case syn.Call(callee=syn.Name(name=name) | syn.Member(name=name), args=args):
                bare = name.rpartition("::")[2]
                if bare in asked:
                    _note(passed.calls, bare, tuple(_number(host.ctx, arg) for arg in args))
                elif bare in host_flow.ALLOCATORS and len(args) >= 2:
                    launch_arguments.note_room(host, args)
            case _:
                pass


def _note(table: dict[K, Numbers], key: K, numbers: Numbers) -> None:
    """Keeps what agrees with what is known of the same key."""
    known = table.get(key)
    same = numbers if known is None else tuple(a if a == b else None for a, b in zip(known, numbers))
    table[key] = same


def _warps(ctx: Lowering, config: Sequence[syn.Expr]) -> int | None:
    """How many warps a launch of this shape has."""
    if len(config) < 2:
        return None
    shape = [[number for number in host_constants.dims(ctx, one) if number is not None] for one in config[:2]]
    known = all(len(numbers) == 3 for numbers in shape)
    return prod(shape[0]) * -(-prod(shape[1]) // WARP) if known else None


def _number(ctx: Lowering, arg: syn.Expr) -> int | None:
    """A number, or what a constant member begins with."""
    number = launch_arguments.number(ctx, arg)
    if number is None and isinstance(arg := uncast(arg), syn.Member):
        begins = [
            field
            for records in ctx.unit.records.values()
            for d in records
            for field in d.fields
            if field.name == arg.name
        ]
        if len(begins) == 1 and "const" in begins[0].type.qualifiers and begins[0].init is not None:
            number = launch_arguments.number(ctx, begins[0].init)
    return number
