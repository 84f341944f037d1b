"""The cost program as a graph: cut points, and transitions along the straight-line paths between them.

Every cycle passes a *point*: the entry (number 0), each loop head, and the place after a branch where a stretch would
otherwise have more than 64 paths.  A transition goes from a point to a point, or to the end (`target` None).  It is taken for
values of the variables at its source, and of its choices (fresh names "?0", "?1", ...), that satisfy its `facts`; `update` gives
the variables at its target in terms of these, and `ticks` are what it pays.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import field

from analysis_core.bounds.program import (
    Affine,
    Assign,
    Branch,
    Choose,
    CostProgram,
    Stmt,
    Tick,
    While,
    plus,
    put,
    times,
)
from analysis_core.lp.entailment import negated, tightened
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_PATHS = 64
_TRANSITIONS = 600


class TooManyPaths(Exception):
    """The graph would be too large; `span`: the branch where it grew."""

    def __init__(self, span: Span | None) -> None:
        super().__init__("too many paths")
        self.span = span


@dataclass(frozen=True, slots=True)
class Point:
    """`loops`: the points of the loops around it, the innermost last, itself included if it is a loop head."""

    index: int
    span: Span | None
    guard: tuple[Affine, ...]
    is_loop: bool
    loops: tuple[int, ...]
    may_stop: bool = False


@dataclass(frozen=True, slots=True)
class Transition:
    source: int
    target: int | None
    facts: tuple[Affine, ...]
    update: dict[str, Affine]
    ticks: tuple[Tick, ...]
    choices: tuple[str, ...]
    span: Span | None

    def cost(self, metric: str) -> tuple[int, int]:
        """What the transition pays, at least and at most."""
        low = high = 0
        for tick in self.ticks:
            for name, a, b in tick.costs:
                if name == metric:
                    low, high = low + a, high + b
        return low, high


@dataclass(frozen=True, slots=True)
class System:
    """`known`: facts about parameters (ranges and the program's own)."""

    names: frozenset[str]
    known: tuple[Affine, ...]
    points: tuple[Point, ...]
    transitions: tuple[Transition, ...]

    def inside(self, point: int) -> list[int]:
        """The points of a loop, its head included."""
        return [p.index for p in self.points if point in p.loops]


def shape(system: System) -> Hashable:
    """All of the system but what its transitions pay, and where they stand: systems of equal shapes have the same facts,
    templates and cases."""
    points = tuple((p.index, p.guard, p.is_loop, p.loops, p.may_stop) for p in system.points)
    steps = tuple((t.source, t.target, t.facts, tuple(t.update.items()), t.choices) for t in system.transitions)
    return (system.names, system.known, points, steps)


@dataclass(eq=False)
class _Node:
    """A statement and what follows it; `after` None: the end."""

    stmt: Stmt | None
    after: _Node | None
    loops: tuple[_Node, ...]
    arms: list[tuple[tuple[Affine, ...], _Node | None]] = field(default_factory=list)
    body: _Node | None = None
    point: int | None = None


def build_system(program: CostProgram) -> System:
    """The graph of a cost program; raises TooManyPaths."""
    nodes: list[_Node] = []
    entry = _Node(None, None, ())
    entry.after = _compile(program.body, None, (), nodes)
    nodes.append(entry)
    nodes.reverse()
    cuts = [entry, *(n for n in nodes if isinstance(n.stmt, While))]
    _part(cuts)
    for index, node in enumerate(cuts):
        node.point = index
    points = tuple(_point(node) for node in cuts)
    transitions: list[Transition] = []
    for node in cuts:
        transitions.extend(_transitions_from(node))
        if len(transitions) > _TRANSITIONS:
            raise TooManyPaths(points[node.point or 0].span)
    return System(_names(program), known_facts(program), points, tuple(transitions))


def known_facts(program: CostProgram) -> tuple[Affine, ...]:
    """What holds of the parameters: their ranges, and the program's facts."""
    facts: list[Affine] = []
    for p in program.parameters:
        if p.low is not None:
            facts.append(Affine(-p.low, ((p.name, 1),)))
        if p.high is not None:
            facts.append(Affine(p.high, ((p.name, -1),)))
    facts.extend(tightened(fact) for fact in program.facts)
    return tuple(dict.fromkeys(facts))


def _names(program: CostProgram) -> frozenset[str]:
    """Parameters are all that may occur unassigned."""
    return frozenset(p.name for p in program.parameters)


def _point(node: _Node) -> Point:
    loops = tuple(n.point for n in node.loops if n.point is not None)
    assert node.point is not None
    match node.stmt:
        case While(guard, _, span, may_stop):
            return Point(node.point, span, guard, True, (*loops, node.point), may_stop)
        case Branch(_, span):
            return Point(node.point, span, (), False, loops)
        case _:
            return Point(node.point, None, (), False, loops)


def _compile(
    block: tuple[Stmt, ...], after: _Node | None, loops: tuple[_Node, ...], nodes: list[_Node]
) -> _Node | None:
    """Nodes for a block, made from its end; `nodes` collects them in reverse order."""
    for stmt in reversed(block):
        node = _Node(stmt, after, loops)
        match stmt:
            case While():
                node.body = _compile(stmt.body, node, (*loops, node), nodes)
            case Branch():
                for arm in reversed(stmt.arms):
                    node.arms.insert(0, (arm.guard, _compile(arm.body, after, loops, nodes)))
            case Tick() | Assign() | Choose():
                pass
        nodes.append(node)
        after = node
    return after


def _part(cuts: list[_Node]) -> None:
    """Adds joins to the cut points until no stretch between them has too many paths.  More cut points never make more paths, so
    a point that has few of them need not be looked at again."""
    is_cut = set(map(id, cuts))
    counts: dict[int, int] = {}
    for cut in cuts:  # those that are added too
        while (join := _crowded(cut, is_cut, counts)) is not None:
            cuts.append(join)
            is_cut.add(id(join))
            counts.clear()  # of those before the join


def _crowded(cut: _Node, is_cut: set[int], counts: dict[int, int]) -> _Node | None:
    """A join to cut at, because the stretch behind a cut point has too many paths.  `counts`: the paths behind nodes."""
    starts = [cut.body, cut.after] if isinstance(cut.stmt, While) else [cut.after]
    if isinstance(cut.stmt, Branch):
        starts = [node for _, node in cut.arms]
    if sum(_paths(start, is_cut, counts) for start in starts) <= _PATHS:
        return None
    return next((join for start in starts if (join := _join(start, is_cut)) is not None), None)


def _paths(start: _Node | None, is_cut: set[int], counts: dict[int, int]) -> int:
    """Straight-line paths from `start` to the next cut points."""
    stack: list[_Node] = [] if start is None else [start]
    while stack:
        node = stack[-1]
        if id(node) in counts or id(node) in is_cut:
            stack.pop()
            continue
        following = [n for _, n in node.arms] if isinstance(node.stmt, Branch) else [node.after]
        missing = [n for n in following if n is not None and id(n) not in counts and id(n) not in is_cut]
        if missing:
            stack.extend(missing)
            continue
        counts[id(node)] = sum(1 if n is None or id(n) in is_cut else counts[id(n)] for n in following)
        stack.pop()
    return 1 if start is None or id(start) in is_cut else counts[id(start)]


def _join(start: _Node | None, is_cut: set[int]) -> _Node | None:
    """The first node after a branch, of those that are no cut points; the second branch if the first ends the stretch."""
    node = start
    while node is not None and id(node) not in is_cut:
        if isinstance(node.stmt, Branch) and node.after is not None and id(node.after) not in is_cut:
            return node.after
        if isinstance(node.stmt, Branch):
            for _, arm in node.arms:
                inner = _join(arm, is_cut) if arm is not node.after else None
                if inner is not None:
                    return inner
            return None
        node = node.after
    return None


@dataclass(slots=True)
class _Path:
    node: _Node | None
    values: dict[str, Affine]
    facts: tuple[Affine, ...]
    ticks: tuple[Tick, ...]
    choices: tuple[str, ...]

    def assume(self, guard: tuple[Affine, ...]) -> bool:
        """Adds guards over the present values; False where one is wrong for constants."""
        new = [tightened(put(g, self.values)) for g in guard]
        self.facts += tuple(f for f in new if f.terms and f not in self.facts)
        return all(f.terms or f.constant >= 0 for f in new)

    def refutes(self, guard: tuple[Affine, ...]) -> bool:
        """Whether a condition is wrong for constants."""
        return any(not value.terms and value.constant < 0 for value in (put(g, self.values) for g in guard))


def _starts(node: _Node) -> Iterator[_Path]:
    """The ways out of a point: into the loop, past it for each reason, on."""
    if isinstance(node.stmt, While):
        into = _Path(node.body, {}, (), (), ())
        if into.assume(node.stmt.guard):
            yield into
        if node.stmt.may_stop:
            yield _Path(node.after, {}, (), (), ())
            return
        for guard in node.stmt.guard:
            past = _Path(node.after, {}, (), (), ())
            if past.assume((negated(guard),)):
                yield past
    elif isinstance(node.stmt, Branch):
        yield from _arms(_Path(node, {}, (), (), ()))
    elif node.stmt is None:
        yield _Path(node.after, {}, (), (), ())
    else:
        yield _step(_Path(node, {}, (), (), ()))


def _arms(path: _Path) -> Iterator[_Path]:
    assert path.node is not None
    for guard, first in path.node.arms:
        arm = _Path(first, dict(path.values), path.facts, path.ticks, path.choices)
        if arm.assume(guard):
            yield arm


def _step(path: _Path) -> _Path:
    """Past one statement that does not branch."""
    assert path.node is not None
    stmt = path.node.stmt
    path.node = path.node.after
    match stmt:
        case Tick():
            path.ticks += (stmt,)
        case Assign(var, value):
            path.values[var] = put(value, path.values)
        case Choose(var, low, high):
            name = f"?{len(path.choices)}"
            chosen = Affine(0, ((name, 1),))
            ends = [plus(chosen, times(-1, put(low, path.values)))] if low is not None else []
            if high is not None:
                ends.append(plus(put(high, path.values), times(-1, chosen)))
            path.facts += tuple(tightened(end) for end in ends)
            path.choices += (name,)
            path.values[var] = chosen
        case Branch() | While() | None:
            raise AssertionError("no straight line")
    return path


def _transitions_from(cut: _Node) -> Iterator[Transition]:
    assert cut.point is not None
    todo = list(_starts(cut))
    todo.reverse()
    while todo:
        path = todo.pop()
        node = path.node
        if node is not None and isinstance(node.stmt, While) and path.refutes(node.stmt.guard):
            # It surely makes no (further) round, as after a `break`: the path goes on past the loop.
            path.node = node.after
            todo.append(path)
        elif node is None or node.point is not None:
            target = None if node is None else node.point
            update = {v: a for v, a in path.values.items() if a != Affine(0, ((v, 1),))}
            span = getattr(cut.stmt, "span", None)
            yield Transition(cut.point, target, path.facts, update, path.ticks, path.choices, span)
        elif isinstance(node.stmt, Branch):
            todo.extend(reversed(list(_arms(path))))
        else:
            todo.append(_step(path))
