"""Searches that all lanes begin at one place: comparisons lead them on, and nothing else of a lane's own does.

    lo = 0; hi = n;
    while (lo < hi) { mid = (lo + hi) / 2; if (x[mid] < key) lo = mid + 1; else hi = mid; }

Where a lane looks in round d (the first is round 0) is decided by how the comparisons of the d rounds before turned out: a warp looks at
2^d places at most.  So do a step that is halved and added where it may be (`if (x[at + s] <= key) at += s`), what is found at such a
place and leads on, and the nodes of a tree.  What a search costs is told by `profile/probed`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field

from analysis_core.ir.effects import assigned_by, sources_of, variables_in
from analysis_core.ir.loop_info import LoopInfo, loops_of
from analysis_core.ir.nodes import (
    AccessId,
    AddressOf,
    Assign,
    Atomic,
    Binary,
    Builtin,
    BuiltinKind,
    Const,
    Expr,
    Kernel,
    Load,
    Local,
    Loop,
    PtrAdd,
    Select,
    Stmt,
    Store,
    UnknownExpr,
    VarId,
)
from analysis_core.ir.types import Space
from analysis_core.ir.walk import children, statements, statements_of, uncast
from analysis_core.profile.idioms.search_keys import COMPARISONS, DEEPEST, Keys, keys_of, leads_on
from analysis_core.profile.idioms.searches import halved, halves, halving_ends
from analysis_core.text.records import dataclass

_DEEPEST = 8
"""Variables that are looked through for a number."""

Even = Callable[[Loop], Collection[VarId]]
"""The variables of which all lanes of a warp have one value where a loop begins."""


@dataclass(frozen=True, slots=True)
class Search:
    """`probes`: the loads of a search, by the bytes from one element to the next; None where what was found leads on.  `ends`: between which it looks,
    if there are two; `step`: the number that is halved, if there is one, and `first`, how much it is at first, where the text says; `nested`: it is in another loop; `after`: the accesses at what it found, beside
    the lane's own number; `keys`: what it looks for, None where no order of that is known."""

    loop: Loop
    probes: Mapping[AccessId, int | None]
    ends: tuple[VarId, ...]
    step: VarId | None
    first: int | None
    nested: bool
    after: frozenset[AccessId]
    keys: Keys | None


def searches_begun_alike(kernel: Kernel, even: Even) -> Iterator[Search]:
    """The searches of a kernel in which all lanes of a warp begin at one place."""
    for info in loops_of(kernel):
        if any(isinstance(s, Assign) and halves(s.value) for s, _ in info.placed):
            found = _Reading(kernel, info, sources_of(kernel), frozenset(even(info.loop))).search()
            if found is not None:
                yield found


@dataclass(slots=True)
class _Reading:
    """Of one loop: `inside`: what its rounds assign to variables; `placed`: those that comparisons alone decide; `led`: those that
    contents of memory lead."""

    kernel: Kernel
    info: LoopInfo
    sources: Mapping[VarId, Sequence[Stmt]]
    even: frozenset[VarId]
    inside: dict[VarId, list[Stmt]] = field(default_factory=dict)
    placed: set[VarId] = field(default_factory=set)
    led: set[VarId] = field(default_factory=set)
    known: dict[VarId, bool] = field(default_factory=dict)
    depth: int = 0

    def search(self) -> Search | None:
        """The search that the loop is; None of other loops."""
        own = [stmt for stmt, _ in self.info.placed]
        for stmt in own:
            for var in assigned_by(stmt):
                self.inside.setdefault(var, []).append(stmt)
        counted = {v for v, stmts in self.info.changes.items() if len(stmts) > len(self.inside.get(v, ()))}
        self.known.update(dict.fromkeys(counted, False))
        self.placed = {v for v in self.inside if v not in counted and self._begins_alike(v)}
        while gone := {v for v in self.placed if not all(map(self._is_placed_by, self.inside[v]))}:
            self.placed -= gone
        self._follow()
        probes = {s.access.id: self._pitch(s.address) for s in own if isinstance(s, Load) and self._is_probe(s)}
        if not probes:
            return None
        step = halved(self.info)
        step = step if step in self.placed else None
        keys = keys_of(self.info.loop, self.placed, self.sources, self._is_shared)
        first = None if step is None else self._first(step)
        after = frozenset[AccessId]() if keys is None else frozenset(self._after(probes))
        around = self.info.around is not None
        return Search(self.info.loop, probes, halving_ends(self.info), step, first, around, after, keys)

    def _after(self, probes: Collection[AccessId]) -> Iterator[AccessId]:
        """The accesses at places that are made of what the search found."""
        found = self.placed - self.led
        for stmt in statements_of(self.kernel):
            if isinstance(stmt, Load | Store | Atomic) and stmt.access.id not in probes:
                if leads_on(stmt.address, found, self.sources, self._is_shared_or_counts):
                    yield stmt.access.id

    def _is_shared_or_counts(self, var: VarId) -> bool:
        """The same, or a counter that lanes step alike in the rounds that they make together."""
        if self._is_shared(var):
            return True
        made = self.sources.get(var, ())
        values = [stmt.value for stmt in made if isinstance(stmt, Assign)]
        leaves = [leaf for value in values for leaf in self._leaves(value) if leaf != var]
        return 1 < len(made) == len(values) and all(leaf is not None and self._is_shared(leaf) for leaf in leaves)

    def _first(self, var: VarId) -> int | None:
        """The number that a variable holds before the loop, where it is written there."""
        for _ in range(_DEEPEST):
            before = [s for s in self.sources[var] if not any(s is one for one in self.inside.get(var, ()))]
            value = uncast(before[0].value) if len(before) == 1 and isinstance(before[0], Assign) else None
            if isinstance(value, Const) and isinstance(value.value, int):
                return value.value
            if not isinstance(value, Local) or value.var not in self.sources:
                return None
            var = value.var
        return None

    def _follow(self) -> None:
        while found := {v for v in self.placed - self.led if any(map(self._is_led_by, self.inside[v]))}:
            self.led |= found

    def _is_led_by(self, stmt: Stmt) -> bool:
        return isinstance(stmt, Load) or (isinstance(stmt, Assign) and bool(variables_in(stmt.value) & self.led))

    def _is_probe(self, stmt: Load) -> bool:
        """Whether comparisons alone decide the place, and do decide it."""
        return bool(variables_in(stmt.address) & self.placed) and self._is_placed(stmt.address)

    def _is_placed_by(self, stmt: Stmt) -> bool:
        if isinstance(stmt, Assign):
            return self._is_placed(stmt.value)
        return isinstance(stmt, Load) and self._is_placed(stmt.address)

    def _is_placed(self, value: Expr) -> bool:
        """Whether nothing of a lane's own is in a value but how comparisons turned out."""
        return all(self._is_leaf(v) for v in self._leaves(value))

    def _is_leaf(self, var: VarId | None) -> bool:
        if var is None:
            return False
        return var in self.placed if var in self.inside else self._is_shared(var)

    def _begins_alike(self, var: VarId) -> bool:
        """Whether all lanes begin with one value; in each round of the loop around, if there is one."""
        if var in self.even:
            return True
        before = [s for s in self.sources[var] if not any(s is one for one in self.inside[var])]
        if before and self.info.around is not None:
            around = self.info.around.loop
            anew = statements((*around.test, *around.body))
            if not any(s is one for one in anew for s in before):
                return False
        leaves = [leaf for stmt in before for leaf in self._leaves_of(stmt)]
        return all(leaf is not None and (leaf in self.even or self._is_shared(leaf)) for leaf in leaves)

    def _is_shared(self, var: VarId) -> bool:
        """Whether all lanes of a warp have one value of a variable that the loop does not change."""
        if var in self.inside:
            return False
        if var in self.even:
            return True
        if var not in self.known and self.depth < DEEPEST:
            self.known[var] = False  # what it is made of itself counts rounds
            self.depth += 1
            made = self.sources.get(var, ())
            self.known[var] = var in self.kernel.parameters if not made else all(map(self._is_shared_by, made))
            self.depth -= 1
        return self.known.get(var, False)

    def _is_shared_by(self, stmt: Stmt) -> bool:
        return all(leaf is not None and self._is_shared(leaf) for leaf in self._leaves_of(stmt))

    def _leaves_of(self, stmt: Stmt) -> Iterator[VarId | None]:
        value = stmt.value if isinstance(stmt, Assign) else stmt.address if isinstance(stmt, Load) else None
        return iter((None,)) if value is None else self._leaves(value)

    def _leaves(self, value: Expr) -> Iterator[VarId | None]:
        """The variables that decide a value, beside comparisons; None of a lane's number or memory, and of what nobody knows."""
        pending = [value]
        while pending:
            match pending.pop():
                case Local(var=var):
                    yield var
                case Builtin(kind=BuiltinKind.THREAD_IDX) | UnknownExpr():
                    yield None
                case AddressOf(object=object):
                    if self.kernel.objects[object].space is Space.LOCAL:
                        yield None
                case Binary(op=op) if op in COMPARISONS:
                    pass
                case Select(then=then, otherwise=otherwise):
                    pending += (then, otherwise)
                case other:
                    pending += children(other)

    def _pitch(self, address: Expr) -> int | None:
        """The bytes from one element to the next; None where what was found leads."""
        address = uncast(address)
        while isinstance(address, PtrAdd) and not variables_in(address.index) & self.placed:
            address = uncast(address.pointer)
        if not isinstance(address, PtrAdd) or variables_in(address) & self.led:
            return None
        scale = uncast(address.scale)
        return int(scale.value) if isinstance(scale, Const) and isinstance(scale.value, int) else None
