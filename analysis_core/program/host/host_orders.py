"""Arrays in which the host leaves rising numbers: what counts, what a scan or a sort wrote, what a filter left of such.

    thrust::sequence(every, every + n);
    thrust::copy_if(every, every + n, flags, chosen, wanted);
    k<<<blocks, 256>>>(chosen, values);                            chosen[i + 1] > chosen[i]

Lanes that read such an array side by side get places in order: how far apart is a matter of how many are left out, and no scatter.  So do
those that read what a loop counted (host_fills.py).  The functions of the host are read from the top down, each statement once; what a
function of the project leaves in the arrays that it is handed counts for its callers, and what all callers hand it for the function.  For findings only: nothing proves that a loop around does not change such an array before the launch.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from analysis_core.lower.names.scope import Unit
from analysis_core.program.host.host_calls import FILLS, Calls
from analysis_core.program.host.host_fills import filled
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.beyond import Part
from analysis_core.syntax.read.orderings import COPIED, DEVICE_WIDE, FILLED, KEPT, ORDERING, SCANNED, SORTED
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Ordered = Mapping[Span, frozenset[Part]]
"""By the place of a launch, the arguments that lead to rising numbers."""

_DEEPEST = 3
"""Calls of calls through which an array in order is handed on."""

_READING = frozenset(
    {"reduce", "count", "count_if", "max_element", "min_element", "distance", "cudaFree", "free", "printf", "fprintf"}
)
_ORDERING = ORDERING | {FILLS}
"""Names by which a function of the host may put something in order."""


@dataclass(slots=True)
class _Walk:
    """One function: the names that lead to rising numbers at this point, of records with the member behind a dot.  `left`: by function, the
    parameters that it leaves so; `bodies`: functions of the project by their names, `after`: what they leave in order of that which
    they are handed.  `given`: by function, what its calls hand it in order, one by one."""

    unit: Unit
    left: Mapping[str, frozenset[int]]
    bodies: Mapping[str, Sequence[syn.FunctionDecl]]
    after: dict[tuple[str, frozenset[Part]], frozenset[Part]]
    rising: set[str] = field(default_factory=set)
    launches: dict[Span, frozenset[Part]] = field(default_factory=dict)
    given: dict[str, list[frozenset[Part]]] = field(default_factory=dict)

    def body(self, declaration: syn.FunctionDecl) -> None:
        """All statements of a function."""
        assert declaration.body is not None
        for node in inside(declaration.body):
            self.statement(node)

    def statement(self, node: syn.Node) -> None:
        """What a node itself does."""
        match node:
            case syn.VarDecl(name=name, init=syn.Expr() as init):
                self._set(name, init)
            case syn.Assign(target=syn.Name(name=name), value=value):
                self._set(name, value)
            case syn.For() | syn.While() | syn.DoWhile():
                found = filled(node)
                self.rising -= found.others
                self.rising |= found.rising
            case syn.KernelLaunch(callee=callee, args=args):
                self.launches[node.span] = self._handed(args)
                kernel = callee.name if isinstance(callee, syn.Name) else ""
                self._clear(kernel, args)
            case syn.Call(callee=syn.Name(name=name) | syn.Member(name=name), args=args):
                self._call(name.rpartition("::")[2], args)
            case _:
                pass

    def _handed(self, args: Sequence[syn.Expr]) -> frozenset[Part]:
        return frozenset((n, part) for n, arg in enumerate(args) for part in self.parts_of(_base(arg)))

    def parts_of(self, place: str | None) -> list[str]:
        """What of the array is in order: "" all of it, ".x" a member."""
        if place is None or not self.rising:
            return []
        return [name[len(place) :] for name in self.rising if name == place or name.startswith(f"{place}.")]

    def _set(self, name: str, value: syn.Expr) -> None:
        """A pointer gets another meaning."""
        base = _base(value) if isinstance(value, syn.Name | syn.Binary | syn.Cast | syn.Call | syn.Unary) else None
        parts = self.parts_of(base)
        self._forget([name])
        self.rising |= {name + part for part in parts}

    def _call(self, name: str, args: Sequence[syn.Expr]) -> None:
        places = [_base(arg) for arg in args if not _is_policy(arg)]
        if name in FILLED | SORTED and len(places) >= 2:
            self._write(places[:1], places[:1])
            self._write(places[2:] if name.endswith("by_key") else (), ())
        elif name in SCANNED and len(places) >= 3:
            self._write(places[2:3], places[2:3])
        elif name in COPIED and len(places) >= 3:
            at = 3 if name != "unique_copy" and len(places) >= 5 else 2  # behind what tells which are copied
            counts = places[0] in self.rising or _is_counter(next(arg for arg in args if not _is_policy(arg)))
            self._write(places[at : at + 1], places[at : at + 1] if counts else ())
        elif name in DEVICE_WIDE and len(args) > 3:
            known = [_base(arg) for arg in args]
            self._write(known[3:4] + known[5:6], known[3:4])
        elif name in self.left:
            self._clear(name, args)
            self._write((), [_base(args[n]) for n in self.left[name] if n < len(args)])
        elif name.startswith(("cudaMemcpy", "cudaMemset")):
            parts = self.parts_of(_base(args[1])) if len(args) > 1 and "cpy" in name else []
            target = _base(args[0]) if args else None
            self._write([target], [None if target is None else target + part for part in parts])
        elif name not in KEPT | _READING:
            handed = self._handed(args)
            self.given.setdefault(name, []).append(handed)
            self._clear(name, args)
            for n, member in self._after(name, handed) if handed and name in self.bodies else ():
                if n < len(args) and (base := _base(args[n])) is not None:
                    self.rising.add(base + member)

    def _write(self, places: Sequence[str | None], rising: Sequence[str | None]) -> None:
        self._forget(places)
        self.rising |= {place for place in rising if place is not None}

    def _forget(self, places: Iterable[str | None]) -> None:
        self.rising -= {place + part for place in places if place is not None for part in self.parts_of(place)}

    def _clear(self, name: str, args: Sequence[syn.Expr]) -> None:
        """What is handed to a function that may write it is in no order any more."""
        if self.rising:
            read = only_read(self.unit, name)
            self._forget([_base(arg) for n, arg in enumerate(args) if n not in read])

    def _after(self, name: str, handed: frozenset[Part]) -> frozenset[Part]:
        """What is in order when a function of the project returns that was handed this."""
        known = self.after.get((name, handed))
        if known is None:
            self.after[name, handed] = frozenset()  # for what it calls itself
            ends = [self._end_of(declaration, handed) for declaration in self.bodies[name]]
            known = self.after[name, handed] = frozenset.intersection(*ends)
        return known

    def _end_of(self, declaration: syn.FunctionDecl, handed: frozenset[Part]) -> frozenset[Part]:
        walk = self.of(declaration, handed)
        return frozenset((n, part) for n, p in enumerate(declaration.parameters) for part in walk.parts_of(p.name))

    def of(self, declaration: syn.FunctionDecl, handed: frozenset[Part]) -> _Walk:
        """Another function, walked with that in order."""
        names = {n: p.name for n, p in enumerate(declaration.parameters) if p.name is not None}
        rising = {f"{names[n]}{member}" for n, member in handed if n in names}
        walk = _Walk(self.unit, self.left, self.bodies, self.after, rising)
        walk.body(declaration)
        return walk


@dataclass(slots=True)
class _Program:
    """Functions walked together.  `left`: by function, the parameters that it leaves in order, those of other files among them;
    `handed`: by identity of a caller, what it hands on in order, by function."""

    unit: Unit
    hosts: Sequence[syn.FunctionDecl]
    calls: Calls
    left: dict[str, frozenset[int]]
    bodies: dict[str, list[syn.FunctionDecl]] = field(default_factory=dict)
    after: dict[tuple[str, frozenset[Part]], frozenset[Part]] = field(default_factory=dict)
    launches: dict[Span, frozenset[Part]] = field(default_factory=dict)
    handed: dict[int, dict[str, frozenset[Part]]] = field(default_factory=dict)

    def walk(self, declaration: syn.FunctionDecl, given: frozenset[Part] = frozenset()) -> _Walk:
        """One function, where it is handed that in order."""
        walk = _Walk(self.unit, self.left, self.bodies, self.after).of(declaration, given)
        self.launches.update((place, found) for place, found in walk.launches.items() if found)
        self.handed[id(declaration)] = {
            name: frozenset.intersection(*each) for name, each in walk.given.items() if any(each)
        }
        return walk

    def given(self, outside: Mapping[str, frozenset[Part]]) -> dict[str, frozenset[Part]]:
        """By function, what all its calls hand it in order, if they do.  `outside`: what those of other files do."""
        told = {name for handed in self.handed.values() for name in handed} | outside.keys()
        found = {name: [outside[name]] if name in outside else [] for name in told}
        for declaration in self.hosts:
            handed = self.handed.get(id(declaration), {})
            for name in self.calls[id(declaration)][1] & told:
                found[name].append(handed.get(name, frozenset()))
        return {name: parts for name, each in found.items() if each and (parts := frozenset.intersection(*each))}


def ordered_arguments(unit: Unit, hosts: Sequence[syn.FunctionDecl], calls: Calls) -> Ordered:
    """The arguments of all launches that lead to rising numbers."""
    beyond = unit.tree.beyond
    return _walked(unit, hosts, calls, dict(beyond.left), {name: frozenset(p) for name, p in beyond.given}).launches


def handed_beyond(
    unit: Unit, hosts: Sequence[syn.FunctionDecl], calls: Calls, outer: Container[str]
) -> tuple[dict[str, frozenset[int]], dict[str, frozenset[Part]]]:
    """What these functions leave in order of what they are handed, and what all their calls of others (`outer`) hand these in order: an
    entry for each that is called."""
    program = _walked(unit, hosts, calls, {}, {})
    found = program.given({})
    called = {name for d in hosts for name in calls[id(d)][1] if name in outer}
    return program.left, {name: found.get(name, frozenset()) for name in called}


def _walked(
    unit: Unit,
    hosts: Sequence[syn.FunctionDecl],
    calls: Calls,
    left: Mapping[str, Iterable[int]],
    outside: Mapping[str, frozenset[Part]],
) -> _Program:
    """All that these functions do, those first that put something in order, then those that are handed such."""
    program = _Program(unit, hosts, calls, {name: frozenset(parts) for name, parts in left.items()})
    for declaration in hosts:
        program.bodies.setdefault(declaration.name, []).append(declaration)
        program.left.pop(declaration.name, None)
    for declaration in _inner_first(hosts, calls, program.left.keys()):
        if calls[id(declaration)][1].isdisjoint(_ORDERING | program.left.keys()):
            continue  # What it hands on is in no order.
        walk = program.walk(declaration)
        kept = frozenset(n for n, p in enumerate(declaration.parameters) if p.name in walk.rising)
        if kept:
            program.left[declaration.name] = kept
    known: dict[str, frozenset[Part]] = {}
    for _ in range(_DEEPEST):
        before, known = known, program.given(outside)
        for name, parts in known.items():
            for declaration in program.bodies.get(name, ()) if parts != before.get(name) else ():
                program.walk(declaration, parts)
        if known == before:
            break
    return program


def _inner_first(
    hosts: Sequence[syn.FunctionDecl], calls: Calls, beyond: Collection[str]
) -> Iterator[syn.FunctionDecl]:
    """Functions that put something in order themselves, those that call others of them later, then all others."""
    direct = [d for d in hosts if not calls[id(d)][1].isdisjoint(_ORDERING)]
    if direct or beyond:
        names = {d.name for d in direct}
        yield from sorted(direct, key=lambda d: len(calls[id(d)][1] & names - {d.name}))
        yield from (d for d in hosts if calls[id(d)][1].isdisjoint(_ORDERING))


def only_read(unit: Unit, name: str) -> frozenset[int]:
    """The parameters through which no function of this name writes."""
    found: frozenset[int] | None = None
    for declaration in unit.find_functions(name, ""):
        own = frozenset(n for n, p in enumerate(declaration.parameters) if _is_constant(p.type))
        found = own if found is None else found & own
    return found or frozenset()


def _is_constant(type: syn.TypeNode) -> bool:
    """Whether nothing is written through it."""
    if isinstance(type, syn.PointerTo | syn.ReferenceTo):
        return "const" in type.target.qualifiers
    return not isinstance(type, syn.ArrayOf)


def _is_counter(arg: syn.Expr) -> bool:
    """Whether it is no array, but counts."""
    return any("counting_iterator" in node.name for node in inside(arg) if isinstance(node, syn.Name))


def _is_policy(arg: syn.Expr) -> bool:
    """`thrust::device`, `thrust::cuda::par.on(stream)`."""
    name = next((node.name for node in inside(arg) if isinstance(node, syn.Name)), "")
    return name.startswith("thrust::") and name.rpartition("::")[2] in ("device", "host", "par", "par_nosync")


def _base(arg: syn.Expr) -> str | None:
    """The array that an argument leads into: the first name in it that is no function's."""
    for node in inside(arg):
        match node:
            case syn.Call(callee=syn.Name(name=name)) if "zip" in name or "tuple" in name or "transform" in name:
                return None
            case syn.Name(name=name) if "::" not in name and not name.endswith("_cast"):
                return None if name == "this" else name
            case _:
                pass
    return None
