"""What a loop changes in a way that depends on memory contents, found without interpreting it.

A summarised loop replaces a variable without a closed form by a fresh symbol.  Whether that symbol is lost to the
analysis or comes from memory is what this module tells: the same flow-insensitive walk as that of uniformity.py, asking
whether a load reaches the variable, through what is assigned to it or through the conditions that decide whether an
assignment runs (`if (data[m] < x) low = m;`, a binary search).  The loop's own exits are not among them.
"""

from __future__ import annotations

from collections.abc import Callable

from analysis_core.interp.core.uniformity import Assignment, Flow, is_apart
from analysis_core.ir.nodes import Binary, Cast, Const, Expr, Local, VarId
from analysis_core.ir.walk import subexpressions
from analysis_core.support.facts import Cause
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Where one assignment to `var` takes its value from. `data`: the load, if it is one; `reads`: the variables that
    its value and its conditions read, in order; `made_of`: those that its value reads, or the address of a load;
    `apart`: lanes differ in what else is read there."""

    var: VarId
    data: Cause | None
    reads: tuple[VarId, ...]
    made_of: tuple[VarId, ...]
    apart: bool


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """How lanes differ in a loop: which variables differ from lane to lane, and for one that differs before the loop
    the load that it comes from."""

    differ: Callable[[VarId], bool]
    entry: Callable[[VarId], Cause | None]


def sources_of(flow: Flow) -> tuple[Source, ...]:
    """The assignments of a loop, as causes flow through them."""
    known: dict[int, tuple[VarId, ...]] = {}

    def read_in(expressions: tuple[Expr, ...]) -> tuple[VarId, ...]:
        read = known.get(id(expressions))
        if read is None:
            every = (var for expr in expressions for var in read_by(expr))
            read = known[id(expressions)] = tuple(dict.fromkeys(every))
        return read

    def read_by(expr: Expr) -> tuple[VarId, ...]:
        read = known.get(id(expr))
        if read is None:
            nodes = (node.var for node in subexpressions(expr) if isinstance(node, Local))
            read = known[id(expr)] = tuple(dict.fromkeys(nodes))
        return read

    def source(a: Assignment) -> Source:
        made_of = read_in(a.sources)
        apart = a.data is not None and any(is_apart(expr) for expr in a.sources)
        return Source(a.var, a.data, tuple(dict.fromkeys((*made_of, *read_in(a.guards)))), made_of, apart)

    return tuple(map(source, flow.assignments))


def data_causes(
    sources: tuple[Source, ...], entry: Callable[[VarId], Cause | None], lanes: Lanes | None = None
) -> dict[VarId, Cause]:
    """The variables that depend on contents of memory at the start of some round, each with the load behind it.
    `entry` gives that load for a value before the loop. With `lanes`, the nearest load that makes lanes differ is
    chosen, for variables in which they do."""
    assigned = {source.var for source in sources}
    causes = {} if lanes is None else _apart(sources, assigned, lanes)
    for var in sorted(assigned - causes.keys()):
        if (cause := entry(var)) is not None:
            causes[var] = cause
    outside = {var: entry(var) for source in sources for var in source.reads if var not in assigned}

    def cause_of(source: Source) -> Cause | None:
        if source.data is not None:
            return source.data
        found = (causes.get(var) if var in assigned else outside[var] for var in source.reads)
        return next((cause for cause in found if cause is not None), None)

    _flow(causes, sources, cause_of)
    return causes


def _apart(sources: tuple[Source, ...], assigned: set[VarId], lanes: Lanes) -> dict[VarId, Cause]:
    """What the loop loads comes before what lanes had when they entered it."""
    own = tuple(source for source in sources if lanes.differ(source.var))
    causes: dict[VarId, Cause] = {}
    for source in own:
        if source.data is not None and (source.apart or any(map(lanes.differ, source.made_of))):
            causes.setdefault(source.var, source.data)
    for var in sorted({source.var for source in own} - causes.keys()):
        if (cause := lanes.entry(var)) is not None:
            causes[var] = cause

    def cause_of(source: Source) -> Cause | None:
        read = (var for var in source.reads if lanes.differ(var))
        found = (causes.get(var) if var in assigned else lanes.entry(var) for var in read)
        return next((cause for cause in found if cause is not None), None)

    _flow(causes, own, cause_of)
    return causes


def _flow(causes: dict[VarId, Cause], sources: tuple[Source, ...], cause_of: Callable[[Source], Cause | None]) -> None:
    """Adds the causes of what is made of variables that have one."""
    pending = [source for source in sources if source.var not in causes]
    changed = True
    while changed:
        changed = False
        for source in pending:
            if source.var not in causes and (cause := cause_of(source)) is not None:
                causes[source.var] = cause
                changed = True


def is_count(flow: Flow, var: VarId) -> bool:
    """Whether the loop only adds constants to the variable or sets it to one. Then its conditions decide only how
    often."""
    made = [a for a in flow.assignments if a.var == var]
    return all(a.data is None and a.sources and all(_is_next(value, var) for value in a.sources) for a in made)


def _is_next(value: Expr, var: VarId) -> bool:
    value = _bare(value)
    if isinstance(value, Binary) and value.op in ("+", "-") and isinstance(_bare(value.right), Const):
        value = _bare(value.left)
    return isinstance(value, Const) or (isinstance(value, Local) and value.var == var)


def _bare(value: Expr) -> Expr:
    while isinstance(value, Cast):
        value = value.operand
    return value
