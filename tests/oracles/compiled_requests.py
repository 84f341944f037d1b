"""The requests that we say compilers make, held against the machine code of a compiler.

    python -m tests.oracles.compiled_requests [-v] [FILE or FOLDER..]

Each file is compiled for one GPU (sass.py).  A *group* is the loads, or the stores, of some lines of one kernel in one memory: a line of its own, or
all lines between which we say that requests are joined.  What machine code has there is compared with what `traffic/made_requests`
and `interp/core/registers` say: outside of loops the width of every request, in loops, which compilers unroll as they like, the widths that there
are.  A group is of the first kind of `KINDS` that one of its accesses is of.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from analysis_core.expressions import expression as ex
from analysis_core.interp.core.events import AccessEvent, AccessKind, Events
from analysis_core.interp.core.registers import kept_in_registers
from analysis_core.interp.core.roots import find_roots
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import AccessId, Block, Kernel, Load, Loop, Store
from analysis_core.ir.straight_lines import straight_lines
from analysis_core.ir.types import Space
from analysis_core.ir.walk import blocks_of
from analysis_core.pipeline.pipeline import load
from analysis_core.program.launch import Launch, choose_launches
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.traffic.addresses import exclude, split_address
from analysis_core.traffic.made_requests import Made, made_requests
from tests.harness.annotations import parse as parse_fixture
from tests.harness.observe import settings_of
from tests.oracles.sass import MISSING, MachineRequest, is_there, machine_requests

ROOT = Path(__file__).resolve().parents[2]

FIXTURES = tuple(
    ROOT / "tests" / "kernels" / name
    for name in (
        "precision/joined.cu",
        "precision/registers.cu",
        "precision/side_by_side.cu",
        "precision/packs.cu",
        "precision/just_stored.cu",
        "precision/compiled_requests.cu",
        "hardware/splits.cu",
    )
)
"""What is compiled where nothing else is named."""

KINDS = (
    "joined to a wider one",
    "store forwarded",
    "eliminated as loaded already",
    "eliminated as stored over",
    "kept in a register through a loop",
    "one element on sides of a branch",
    "loaded or stored again",
    "as in the source",
)
JOINED, FORWARDED, LOADED, OVERWRITTEN, KEPT, SIDES, AGAIN, AS_WRITTEN = range(len(KINDS))

_SPACES = {Space.GLOBAL: "global", Space.UNKNOWN: "global", Space.SHARED: "shared"}

Place = tuple[int, bool, str]
"""A line, whether it is a load, and the memory."""


@dataclass(slots=True)
class Group:
    """What is said of some lines of a kernel: the widths of requests outside of loops with their numbers, and those in loops.  `accesses`: those
    in loops; `counted`: the rounds of loops that compilers write out are known one by one."""

    kernel: str
    kind: int = AS_WRITTEN
    places: set[Place] = field(default_factory=set)
    once: Counter[int] = field(default_factory=Counter)
    rolled: set[int] = field(default_factory=set)
    accesses: set[AccessId] = field(default_factory=set)
    counted: bool = True

    def add(self, event: AccessEvent, made: AccessEvent | None, kind: int, rolled: bool) -> None:
        """Takes what is made of an execution."""
        self.kind = min(self.kind, kind)
        if made is None or (event.held is not None and event.held.times == ex.ZERO and not rolled):
            return
        if rolled:
            self.rolled.add(made.access.width)
            self.accesses.add(event.access.id)
        else:
            self.once[made.access.width] += 1
            self.counted &= event.times == ex.ONE or event.held is not None

    def join(self, other: Group) -> None:
        """Takes the lines of another group."""
        self.kind = min(self.kind, other.kind)
        self.places |= other.places
        self.once += other.once
        self.rolled |= other.rolled
        self.accesses |= other.accesses
        self.counted &= other.counted

    @property
    def memory(self) -> tuple[bool, str]:
        """Whether these are loads, and of which memory."""
        return next(iter(self.places))[1:]

    def agrees(self, machine: Sequence[MachineRequest]) -> bool:
        """Whether the machine code of these lines has these requests."""
        once = Counter(r.width for r in machine if not r.in_loop)
        rolled = {r.width for r in machine if r.in_loop}
        if not self.rolled:
            return not rolled and (once == self.once if self.counted else {*once} == {*self.once})
        if {*once} | rolled != {*self.once} | self.rolled or not once >= self.once:
            return False
        return bool(rolled) or len(machine) > len(self.accesses)  # written out after all, not taken out of the loop


@dataclass(frozen=True, slots=True)
class Verdict:
    """A group, whether machine code agrees, and what that has."""

    file: str
    group: Group
    agrees: bool
    machine: tuple[MachineRequest, ...]

    def __str__(self) -> str:
        lines = ",".join(str(line) for line in sorted({line for line, _, _ in self.group.places}))
        is_load, space = self.group.memory
        ours = [
            *(f"{n}x{width}" for width, n in sorted(self.group.once.items())),
            *(f"loop:{w}" for w in sorted(self.group.rolled)),
        ]
        theirs = Counter((r.width, r.in_loop) for r in self.machine)
        told = [f"{n}x{width}{' in a loop' if rolled else ''}" for (width, rolled), n in sorted(theirs.items())]
        what = f"{space} {'loads' if is_load else 'stores'} of `{self.group.kernel}`"
        return f"{self.file}:{lines}: {what}, {KINDS[self.group.kind]}: ours {' '.join(ours) or 'none'}, machine code {', '.join(told) or 'none'}"


def compare(files: Iterable[Path]) -> Iterator[Verdict]:
    """The groups of all kernels whose machine code is found; others are left out, as are files that do not compile."""
    for path in files:
        with tempfile.TemporaryDirectory() as folder:
            compiled = machine_requests(path, Path(folder)) or {}
        data = path.read_bytes()
        settings = settings_of(parse_fixture(data))
        _, module = load(path.name, MemoryFiles({path.name: data}), settings)
        for kernel in module.kernels:
            found = _code_of(kernel, compiled)
            launches = choose_launches(kernel, settings) if found is not None else ()
            for group in _groups(kernel, launches[0], settings, data, found or ()) if launches else ():
                mine = tuple(r for r in found or () if r.place in group.places)
                yield Verdict(path.name, group, group.agrees(mine), mine)


def _code_of(kernel: Kernel, compiled: Mapping[str, Sequence[MachineRequest]]) -> Sequence[MachineRequest] | None:
    """The machine code of a kernel that is no template, by its name, which has its length in front unless it is that of C."""
    pattern = re.compile(rf"(_Z{len(kernel.name)}{kernel.name}(?!I)|{kernel.name}$)")
    found = [requests for name, requests in compiled.items() if pattern.match(name)]
    return found[0] if kernel.instantiation is None and len(found) == 1 else None


def _groups(
    kernel: Kernel, launch: Launch, settings: Settings, data: bytes, machine: Iterable[MachineRequest]
) -> Sequence[Group]:
    """What we say of a kernel, line by line."""
    told = _Told.of(kernel, interpret(kernel, launch, settings))
    groups: dict[Place, Group] = {}

    def place_of(event: AccessEvent) -> Place:
        line = data.count(b"\n", 0, event.access.span.start) + 1
        return line, event.kind is AccessKind.READ, _SPACES[event.space]

    def join(places: Iterable[Place]) -> None:
        first, *others = {id(groups[place]): groups[place] for place in places if place in groups}.values()
        for other in others:
            first.join(other)
            groups.update(dict.fromkeys(other.places, first))

    for event in told.accesses:
        place = place_of(event)
        group = groups.setdefault(place, Group(kernel.name, places={place}))
        group.add(event, told.made.get(event, event), told.kind_of(event), event.access.id in told.rolled)
    for event, before in told.before.items():
        if before.kind is event.kind:
            join([place_of(event), place_of(before)])
    for window in told.windows:
        join(map(place_of, window))
    strays = [request.place for request in machine if request.place not in groups]  # what is moved has any line
    moved = {group.memory for group in groups.values() if group.kind is KEPT} | {place[1:] for place in strays}
    for memory in moved.intersection(place[1:] for place in groups):
        places = [place for place in groups if place[1:] == memory]
        join(places)
        groups[places[0]].places.update(place for place in strays if place[1:] == memory)
    return list({id(group): group for group in groups.values()}.values())


def _element(event: AccessEvent) -> Hashable:
    return (event.space, *split_address(event), event.access.width)


@dataclass(frozen=True, slots=True)
class _Told:
    """What we say of the executions of a kernel's accesses.  `windows`: executions that are joined; `rolled`: accesses that are still made in
    loops; `before`: by execution, the last one before it of the same element."""

    accesses: Sequence[AccessEvent]
    made: Made
    windows: Sequence[Sequence[AccessEvent]]
    rolled: frozenset[AccessId]
    kept: frozenset[AccessId]
    before: Mapping[AccessEvent, AccessEvent]

    @staticmethod
    def of(kernel: Kernel, events: Events) -> _Told:
        lines = straight_lines(kernel)
        made = made_requests(kernel, events, lines)
        kept = kept_in_registers(kernel, find_roots(kernel))
        accesses = [e for e in events.accesses if e.space in _SPACES and e.kind is not AccessKind.ATOMIC]
        rolled = (
            access
            for access, loops in _loops_around(kernel.body, ())
            if any(loop.whole not in lines.written_out and loop not in kept.get(access, ()) for loop in loops)
        )
        made_once = {
            access for access, n in Counter(e.access.id for e in accesses if e.times == ex.ONE).items() if n == 1
        }
        last: dict[Hashable, AccessEvent] = {}
        before: dict[AccessEvent, AccessEvent] = {}
        for event in accesses:
            if (element := _element(event)) in last:
                before[event] = last[element]
            last[element] = event
        return _Told(
            accesses, made, list(_windows(accesses, made)), frozenset(rolled) - made_once, frozenset(kept), before
        )

    def kind_of(self, event: AccessEvent) -> int:
        """The number of its kind in `KINDS`."""
        is_load, before = event.kind is AccessKind.READ, self.before.get(event)
        if any(event in window for window in self.windows):
            return JOINED
        if self.made.get(event, event) is None:
            if not is_load:
                return OVERWRITTEN
            return FORWARDED if event.own or (before is not None and before.kind is AccessKind.WRITE) else LOADED
        if event.access.id in self.kept:
            return KEPT
        if before is None or not (is_load or before.kind is AccessKind.WRITE):
            return AS_WRITTEN
        return SIDES if exclude(before.mask, event.mask) else AGAIN


def _windows(accesses: Sequence[AccessEvent], made: Made) -> Iterator[list[AccessEvent]]:
    """The executions that are joined to one, with this one."""
    gone = [event for event in accesses if made.get(event, event) is None]
    for event in accesses:
        wide = made.get(event)
        if wide is not None and wide.access.width > event.access.width:
            rest, begin = split_address(wide)
            places = ((other, split_address(other)) for other in gone if other.kind is event.kind)
            ends = range(begin, begin + wide.access.width)
            yield [event, *(o for o, (r, at) in places if r == rest and at in ends and o.space is event.space)]


def _loops_around(block: Block, around: tuple[Loop, ...]) -> Iterator[tuple[AccessId, tuple[Loop, ...]]]:
    """The loads and stores of a block, with the loops that they are in."""
    for stmt in block:
        if isinstance(stmt, (Load, Store)):
            yield stmt.access.id, around
        inside = (*around, stmt) if isinstance(stmt, Loop) else around
        for part in blocks_of(stmt):
            yield from _loops_around(part, inside)


def table(verdicts: Sequence[Verdict]) -> str:
    """Per kind how many groups there are, and how many of them agree."""
    rows = [f"{'kind':36} {'groups':>6} {'agree':>6} {'share':>6}"]
    for number, kind in [*enumerate(KINDS), (None, "all")]:
        mine = [v.agrees for v in verdicts if number in (None, v.group.kind)]
        share = f"{sum(mine) / len(mine):6.1%}" if mine else "     -"
        rows.append(f"{kind:36} {len(mine):6} {sum(mine):6} {share}")
    return "\n".join(rows)


def main(arguments: Sequence[str]) -> int:
    """Prints the table, and with `-v` every group of which machine code says otherwise."""
    if not is_there():
        print(MISSING)
        return 2
    named = [Path(word) for word in arguments if word != "-v"] or FIXTURES
    verdicts = list(
        compare(file for path in named for file in (sorted(path.rglob("*.cu")) if path.is_dir() else [path]))
    )
    if "-v" in arguments:
        print("\n".join(str(verdict) for verdict in verdicts if not verdict.agrees))
    print(table(verdicts))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
