"""`race_report(kernel, launch, events)`: all that is found out about races, barriers and lanes of one kernel under one launch.

`races_of`: which accesses of two threads may meet, and how sure that is.

    trace -> intervals (intervals.py) -> pairs that may meet, by a ladder of proofs, the cheapest first -> verdicts

Threads of one block are held against each other between barriers of the block (within_block.py), threads of two blocks between barriers of the
grid (between_blocks.py).  What surely meets without a word of memory's contents is run by the simulator (replay.py) before it is
called certain.  Modules are imported by kernels that need them.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.interp.core.events import AccessKind, Events
from analysis_core.interp.core.trace import Barred, walk
from analysis_core.ir.layout import may_rest_on_guesses
from analysis_core.ir.nodes import Barrier, BarrierScope, Builtin, BuiltinKind, Fence, Kernel, Shuffle, Vote
from analysis_core.ir.types import Space
from analysis_core.ir.walk import expressions_of, statements_of, subexpressions
from analysis_core.machine.block_shape import place_of
from analysis_core.program.launch import Launch
from analysis_core.races.intervals import Intervals, Unordered
from analysis_core.races.occurrences import BLOCK_INDEX, GRID_EXTENT
from analysis_core.races.pairs import Collected, Context, Found, Grid, place
from analysis_core.races.verdicts import Race, RaceReport, Scope, Thread, Verdict, Witness
from analysis_core.races.within_block import Decider
from analysis_core.support.fuel import RACES, Fuel, OutOfFuel

_REPLAYS = 4
"""Pairs of a kernel that are run by the simulator, until one has met in each array."""

_MEETINGS = frozenset({Verdict.CERTAIN, Verdict.CONDITIONAL, Verdict.DATA, Verdict.LOCK_STEP})
"""What says that two threads may meet with no barrier between."""

_SPACES = (Space.SHARED, Space.GLOBAL)


def race_report(kernel: Kernel, launch: Launch, events: Events, guessed: bool) -> RaceReport:
    """`guessed`: nothing says that the block has this shape; then nothing is certain."""
    launch = replace(launch, grid=events.extents)  # as annotations know it, too
    if launch.arguments.same:
        from analysis_core.races.one_array import of_one_array

        events = of_one_array(events, launch.arguments.same)
    races = races_of(kernel, launch, events, guessed)
    kinds = {type(stmt) for stmt in statements_of(kernel)}
    if Barrier in kinds:
        from analysis_core.races.barriers import orderings

        races = replace(races, barriers=orderings(kernel, events, races, Fuel.of(RACES // 3 // launch.among)))
    if guessed or not (kernel.objects or kinds & {Barrier, Shuffle, Vote}):
        return races
    from analysis_core.races.misuse import with_misuse

    return with_misuse(kernel, launch.block, events, races)


def races_of(kernel: Kernel, launch: Launch, events: Events, guessed: bool = False) -> RaceReport:
    """The verdicts on all pairs of accesses to memory that threads share. `guessed`: nothing says that the block has this shape, so nothing is
    certain."""
    if not _is_written(events, *_SPACES):
        return RaceReport()
    if events.unknowns:
        return RaceReport(cause=events.unknowns[0].reason, because=events.unknowns[0].span)
    if may_rest_on_guesses(kernel):
        from analysis_core.ir.guessed_sizes import shares_by_guess

        if shares_by_guess(kernel):
            return RaceReport(cause="which bytes threads share rests on the size of a type that is not known")
    collected, context = Collected(Fuel.of(RACES // launch.among)), _context(kernel, launch, events)
    cause = ""
    try:
        _look(events, context, collected)
    except Unordered as why:
        return RaceReport(cause=why.reason, because=why.span)
    except OutOfFuel as why:
        cause = str(why)
    _doubt(kernel, events, collected)
    if guessed:
        collected.quieten(Verdict.CONDITIONAL, "no launch in view says the shape of the block")
    found = _report(kernel, launch, events, collected)
    return replace(found, cause=cause) if cause else found


def _doubt(kernel: Kernel, events: Events, collected: Collected) -> None:
    """Threads of a block, or of a warp, that a barrier may order in a way that is not known, are not said to meet."""
    barriers = [stmt for stmt in statements_of(kernel) if isinstance(stmt, Barrier)]
    if all(stmt.scope.is_whole for stmt in barriers):
        return
    from analysis_core.races.parts import parts_of

    texts = {stmt.span: stmt.text for stmt in barriers}
    for node, why in parts_of(events.trace, events.shape.real).unknown:
        cause = f"`{texts.get(node.span, 'a barrier')}` may order them: {why}"
        scopes = frozenset({Scope.WARP, *({Scope.BLOCK} if node.scope is not BarrierScope.WARP else ())})
        collected.quieten(Verdict.UNDECIDED, cause, scopes, _MEETINGS, node.span)


def _is_written(events: Events, *spaces: Space) -> bool:
    return any(event.space in spaces and event.kind is not AccessKind.READ for event in events.accesses)


def _context(kernel: Kernel, launch: Launch, events: Events) -> Context:
    """A caller may be asked for one block where no launch in view has several and the kernel does not ask how many there are."""
    axes = _axes_of(kernel, launch.grid)
    unasked = not axes and launch.source == "call" and launch.grid[0] is None
    if unasked:
        axes = frozenset({0})
    several = _axes_read(kernel, BuiltinKind.GRID_DIM)
    single = frozenset(
        n for n in axes if (launch.source != "call" or unasked) and launch.grid[n] is None and n not in several
    )
    otherwise = _orders_otherwise(kernel, events) if axes else ""
    return Context(axes, single, launch.arguments.ranges, launch.grid, otherwise)


def _axes_of(kernel: Kernel, grid: Grid) -> frozenset[int]:
    """Along which axes blocks differ: those that the kernel asks for and those of which the launch has several. A kernel that asks for none is
    taken to be launched with one block, unless the launch says otherwise."""
    asked = _axes_read(kernel, BuiltinKind.BLOCK_IDX)
    return frozenset(n for n in range(3) if grid[n] != 1 and (n in asked or grid[n] is not None))


def _axes_read(kernel: Kernel, kind: BuiltinKind) -> frozenset[int]:
    """The components of blockIdx, or gridDim, in the kernel's text."""
    return frozenset(
        node.axis
        for stmt in statements_of(kernel)
        for expr in expressions_of(stmt)
        for node in subexpressions(expr)
        if isinstance(node, Builtin) and node.kind is kind
    )


def _orders_otherwise(kernel: Kernel, events: Events) -> str:
    """Why blocks may wait for each other with no barrier of the grid, "" if nothing shows it."""
    barriers = [node for node in walk(events.trace) if isinstance(node, Barred)]
    if any(node.scope is BarrierScope.CLUSTER for node in barriers):
        return "a barrier of a cluster may order the blocks"
    if any(node.scope is BarrierScope.PART and node.part is None for node in barriers):
        return "a barrier of threads that are not known may order the blocks"
    if any(isinstance(stmt, Fence) and stmt.text.startswith("__threadfence") for stmt in statements_of(kernel)):
        return "fences and what is counted behind them may order the blocks"
    if any(event.access.volatile and event.space is not Space.SHARED for event in events.accesses):
        return "volatile memory may order the blocks"
    return ""


def _look(events: Events, context: Context, collected: Collected) -> None:
    """Shared memory first. Raises `Unordered`."""
    for space in _SPACES:
        if _is_written(events, space):
            Intervals(events, space, Decider(events, context=context, collected=collected).interval).walk()
        if space is Space.SHARED:
            collected.proved = set(collected.apart)
    if context.axes and _is_written(events, Space.GLOBAL):
        from analysis_core.races.between_blocks import Between

        Intervals(events, Space.GLOBAL, Between(events, context, collected).interval, Scope.GRID).walk()
    collected.proved = collected.apart


def _report(kernel: Kernel, launch: Launch, events: Events, collected: Collected) -> RaceReport:
    """The verdicts, with those replayed that are to be certain."""
    races, left, shown = [], _REPLAYS, set[str]()
    for found in collected.found.values():
        array = found.one.event.base
        replay = found.verdict is Verdict.CERTAIN and array not in shown and left > 0
        left -= replay
        race = _race(kernel, launch, events, found, replay)
        if race.verdict is Verdict.CERTAIN:
            shown.add(array)
        races.append(race)
    races.sort(key=lambda race: (race.verdict.rank, race.first.span.start, race.second.span.start))
    return RaceReport(tuple(races), len(collected.proved - collected.found.keys()))


def _race(kernel: Kernel, launch: Launch, events: Events, found: Found, replay: bool) -> Race:
    told = Race(
        found.verdict,
        place(found.one.event),
        place(found.other.event),
        _witness(events, found),
        found.cause,
        found.one.event.space,
        found.scope,
        found.required,
        found.because,
    )
    if found.verdict is not Verdict.CERTAIN:
        return told
    shown: Witness | str = "it was not replayed"
    if replay and found.threads is not None:
        from analysis_core.races.replay import Candidate, replayed

        candidate = Candidate(
            found.one.event.access,
            found.other.event.access,
            found.threads,
            found.blocks,
            found.values or {},
            launch.arguments.same,
        )
        shown = replayed(kernel, launch.block, candidate)
    if isinstance(shown, str):
        return replace(told, verdict=Verdict.UNDECIDED, witness=None, cause=shown)
    return replace(told, witness=replace(shown, array=found.one.event.base))


def _witness(events: Events, found: Found) -> Witness | None:
    if found.threads is None:
        return None
    one, other = (place_of(thread, events.shape.dims) for thread in found.threads)
    values = found.values or {}
    here = values.get("blockIdx.x", 0), values.get("blockIdx.y", 0), values.get("blockIdx.z", 0)
    blocks = found.blocks or (here, here)
    threads = Thread(blocks[0], one), Thread(blocks[1], other)
    shown = {
        n: v for n, v in values.items() if not n.startswith(BLOCK_INDEX) and (v > 1 or not n.startswith(GRID_EXTENT))
    }
    return Witness(threads, found.one.event.base, found.byte, shown)
