"""Launches that the host makes once, beside a loop in which it launches other kernels: what fills the arrays before the work begins.

    fill<<<blocks, 256>>>(p, n);
    for (int i = 0; i < steps; i++) {
        push<<<blocks, 256>>>(p, q, n);
        pull<<<blocks, 256>>>(q, p, n);
    }

The loop stands in the function of the launch, in one that this calls, or in one that calls this outside of all loops (of what other files call:
sibling_loops.py).  It makes many
rounds, for all that is seen: it counts up, or goes on while something holds, and its launches are over as much in every round (not the levels of a tree).  It
launches at least as many kernels as there are outside of loops, or three, one of them over no less.

    for (int k = 2; k <= most; k++) {
        turn<<<blocks, 256>>>(q, p, n);
        do { nearest<<<blocks, 256>>>(q, n, k); } while (some_moved());
    }

A launch that is in a loop itself (the repetitions of a benchmark), or in a function that is called in one, is made once in each round, if the
other loop stands in the same round, itself and not in what is called there.  That may still be often.  So there must be no more of them than
kernels in inner loops, one of which nobody knows to be launched less than 64 times as often.  What the threads of either do is not asked, as the body
of one kernel is no part of what another's report rests on: where they may do much, findings are information only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

from analysis_core.ir.launch_site import Growing, LaunchSite
from analysis_core.program.first_parts import first_parts
from analysis_core.program.fixed_stages import Heads, growing_beside
from analysis_core.program.handed_alike import handed_alike
from analysis_core.program.host.counted_loops import counts_to_few, number_of
from analysis_core.program.host.host_calls import Calls
from analysis_core.program.host.host_flow import names_behind, names_in
from analysis_core.program.host.size_products import Names, Sizes, constant_of, returning
from analysis_core.program.launch_calls import Leading, lesser_launches, peers_of
from analysis_core.program.launch_extents import FAR_MORE, Launched, Places, is_one_size, times_more
from analysis_core.program.outnumbered import outnumbered_launches
from analysis_core.program.verifying import verifying_parts
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.beyond import Once
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.span import Span

_WORK = 3
"""Kernels of a loop that are what a program does, not one that is repeated to time it."""


@dataclass(frozen=True, slots=True)
class Host:
    """A function that launches, or calls one that does.  `leads`: to what; `loops`: those that go round; `many`: of these, the ones that
    may go round often; `steady`: the launches of as many blocks in each round; `verifying`: the parts that only verify, each with the name that
    says so; `alike`: the launches beside which another kernel is handed the same (handed_alike.py), and `growing`: those beside a fixed one that grow (fixed_stages.py);
    `first`: the launches over the first of many parts (first_parts.py);
    `around`: the loops of a part of a function that are not in it."""

    leads: Leading
    loops: Sequence[Span]
    many: Sequence[Span]
    steady: frozenset[Span]
    verifying: Sequence[tuple[Span, str]] = ()
    around: frozenset[Span] = frozenset()
    alike: frozenset[Span] = frozenset()
    growing: Mapping[Span, Growing] = field(default_factory=dict)
    first: frozenset[Span] = frozenset()

    @property
    def name(self) -> str:
        """Its bare name."""
        return self.leads.name

    @property
    def launches(self) -> Sequence[Launched]:
        """Those in its own text."""
        return self.leads.launches

    @property
    def calls(self) -> Sequence[tuple[str, Span]]:
        """Those of functions that lead to launches."""
        return [(call.name, call.span) for call in self.leads.calls]


def beside_others(hosts: Sequence[Host], once: Once = ()) -> Callable[[LaunchSite | None], LaunchSite | None]:
    """A launch with what the host around it says: that others beside it are over more, or made more often, and that it only verifies.
    `once`: what other files call beside loops of launches (sibling_loops.py)."""
    lesser = lesser_launches([host.leads for host in hosts])
    single, in_turn = single_launches(hosts)
    single |= frozenset(_called_once(hosts, dict(once)))
    peers = peers_of([host.leads for host in hosts], in_turn)
    main = _made_by_main(hosts)
    verifying = [part for host in hosts for part in host.verifying]
    alike = frozenset[Span]().union(*(host.alike for host in hosts))
    first = frozenset[Span]().union(*(host.first for host in hosts))
    growing = {span: others for host in hosts for span, others in host.growing.items()}
    loops, many = [loop for host in hosts for loop in host.loops], [loop for host in hosts for loop in host.many]
    steady = frozenset[Span]().union(*(host.steady for host in hosts))
    outnumbered = outnumbered_launches([host.leads for host in hosts], loops, many, steady)

    def marked(site: LaunchSite | None) -> LaunchSite | None:
        if site is None:
            return site
        place = site.span
        profile = replace(
            site.profile,
            lesser=lesser.get(place, 0),
            single=place in single,
            in_turn=place in in_turn,
            verifies=next((name for span, name in verifying if span.encloses(place)), ""),
            peers=peers.get(place, ()),
            beside_main=place in main,
            alike=place in alike,
            outnumbered=outnumbered.get(place, 0),
            growing=growing.get(place, ()),
            first=place in first,
        )
        return replace(site, profile=profile)

    return marked


def _made_by_main(hosts: Sequence[Host]) -> frozenset[Span]:
    """The launches in no loop of a program that launches several kernels."""
    if all(host.name != "main" for host in hosts) or len({one.kernel for host in hosts for one in host.launches}) < 2:
        return frozenset()
    repeated = repeated_functions(hosts)
    once = (host for host in hosts if host.name not in repeated)
    return frozenset(one.span for host in once for one in host.launches if not _is_within(host.loops, one.span))


def hosts_of(
    functions: Collection[syn.FunctionDecl],
    calls: Calls,
    constants: Mapping[str, syn.Expr],
    leading: Collection[str] = (),
    kernels: Heads | None = None,
) -> Sequence[Host]:
    """The functions of the host that lead to launches.  `constants`: those of the file; `leading`: functions of other files that do, too; `kernels`: by name."""
    names = {d.name for d in functions if calls[id(d)][0]} | set(leading)
    found = {id(d) for d in functions if d.name in names}
    while more := [d for d in functions if id(d) not in found and not names.isdisjoint(calls[id(d)][1])]:
        found.update(map(id, more))
        names.update(d.name for d in more)
    outside = Names(constants, functions=returning(functions))
    return [_host(d, names, outside, kernels or {}) for d in functions if id(d) in found]


def _host(function: syn.FunctionDecl, leading: Collection[str], names: Names, kernels: Heads) -> Host:
    assert function.body is not None
    nodes = list(inside(function.body))
    turning = [node for node in nodes if isinstance(node, syn.Loop) and not _is_once(node)]
    lambdas = [node.span for node in nodes if isinstance(node, syn.Lambda)]
    places = Places(nodes, names)
    parameters = [parameter.name or "" for parameter in function.parameters]
    launches, calls = tuple(places.launches()), tuple(places.calls(leading))
    leads = Leading(function.name, parameters, places.locals, launches, calls)
    many = [loop.span for loop in turning if not _is_short(loop)]
    steady = _steady(nodes) if many else frozenset[Span]()
    loops, verifying = [loop.span for loop in turning] + lambdas, verifying_parts(function, nodes)
    alike = handed_alike(nodes) if len(launches) > 1 else frozenset[Span]()
    growing = growing_beside(function, nodes, launches, names.values, kernels)
    first = first_parts(nodes, many)
    return Host(leads, loops, many, steady, verifying, alike=alike, growing=growing, first=first)


def _steady(nodes: Collection[syn.Node]) -> frozenset[Span]:
    """The launches whose number of blocks rests on nothing that a loop around them makes of what it was."""
    loops = [node.span for node in nodes if isinstance(node, syn.Loop)]
    made: dict[str, set[str]] = {}
    changed: dict[str, list[Span]] = {}
    for node in nodes:
        match node:
            case syn.VarDecl(name=name, init=syn.Expr() as value):
                made.setdefault(name, set()).update(names_in(value))
            case syn.Assign(op=op, target=target, value=value):
                for name in names_in(target):
                    made.setdefault(name, set()).update(names_in(value) if op == "=" else {*names_in(value), name})
                    changed.setdefault(name, []).append(node.span)
            case syn.IncDec(operand=operand):
                for name in names_in(operand):
                    made.setdefault(name, set()).add(name)
                    changed.setdefault(name, []).append(node.span)
            case _:
                pass
    again = {name for name in changed if name in names_behind(made[name], made)}
    found: set[Span] = set()
    for node in nodes:
        if isinstance(node, syn.KernelLaunch) and node.config:
            around = [loop for loop in loops if loop.encloses(node.span)]
            behind = names_behind(names_in(node.config[0]), made)
            if not any(_is_within(around, place) for name in behind & again for place in changed[name]):
                found.add(node.span)
    return frozenset(found)


def _is_once(loop: syn.Stmt) -> bool:
    """`do { .. } while (0)`, as macros are written."""
    return isinstance(loop, syn.DoWhile) and number_of(loop.condition) == 0


def _is_short(loop: syn.Stmt) -> bool:
    """Whether a loop counts up to a small number; or not up by steps of one size: down to something small, or by factors."""
    if not isinstance(loop, syn.For) or not isinstance(loop.condition, syn.Binary):
        return False
    step = loop.step
    if not (isinstance(step, syn.IncDec) and step.op == "++") and not (
        isinstance(step, syn.Assign) and step.op == "+="
    ):
        return step is not None
    return counts_to_few(loop)


def single_launches(hosts: Sequence[Host]) -> tuple[frozenset[Span], frozenset[Span]]:
    """The launches that are made once, beside a loop of launches: in the program, or in each round of a loop around both."""
    if not any(_in_loop(host, place) for host in hosts for place in _places(host)):
        return frozenset(), frozenset()
    repeated = repeated_functions(hosts)
    callers: dict[str, list[Host]] = {}
    for host in hosts:
        for name in {name for name, _ in host.calls}:
            callers.setdefault(name, []).append(host)
    below = {host.name: host for host in hosts}
    found: set[Span] = set()
    in_turn: set[Span] = set()
    for host in hosts:
        if host.name not in repeated:
            above = _above(host, callers)
            looped = [one for each in above for one in launched_in_loops(each, below, each is host)]
            found |= set(_beside(host, looped))
        again = [host] if host.name in repeated else []
        for part in (*again, *(_part(host, loop) for loop in host.loops)):
            turns = (part, *_turns_of(part, callers)) if part is host else (part,)
            looped = [one for each in turns for one in launched_in_loops(each, below, False)]
            often = [one for one in looped if _is_often(one, part)]
            in_turn |= set(_beside(part, often, len(part.launches)))
    return frozenset(found), frozenset(in_turn)


def _part(host: Host, around: Span) -> Host:
    """What one round of a loop does, as if it were a function."""
    launches = [one for one in host.launches if around.encloses(one.span)]
    calls = [one for one in host.leads.calls if around.encloses(one.span)]
    loops = [loop for loop in host.loops if loop != around and around.encloses(loop)]
    many = [loop for loop in host.many if loop in loops]
    leads = replace(host.leads, launches=launches, calls=calls)
    outer = frozenset(loop for loop in host.loops if loop.encloses(around))
    return replace(host, leads=leads, loops=loops, many=many, around=outer)


def _turns_of(host: Host, callers: Mapping[str, Sequence[Host]]) -> Iterator[Host]:
    """The function that alone calls one, at one place, and so on up to the round of a loop around such a call."""
    seen = {host.name}
    while len(above := callers.get(host.name, ())) == 1 and above[0].name not in seen:
        places = [span for name, span in above[0].calls if name == host.name]
        host = above[0]
        around = [loop for loop in host.loops if loop.encloses(places[0])]
        if len(places) > 1:
            return
        if around:
            yield _part(host, min(around, key=lambda loop: loop.end - loop.start))
            return
        seen.add(host.name)
        yield host


def _is_often(one: Launched, part: Host) -> bool:
    """Whether a launch in inner loops is made far more often than what stands in none of them, unless the text says otherwise."""
    inner = [sizes for loop, sizes in one.rounds.items() if loop not in part.around]
    known = [constant_of(sizes) for sizes in inner if sizes is not None]
    numbers = [number for number in known if number is not None]
    return len(numbers) < len(inner) or prod(numbers) >= FAR_MORE


def _beside(host: Host, looped: Collection[Launched], work: int = _WORK) -> Iterator[Span]:
    """The launches in no loop of a function, beside others in loops that are over as much."""
    once = [launch for launch in host.launches if not _is_within(host.loops, launch.span)]
    kernels = {launch.kernel for launch in looped}
    outside = {launch.kernel for launch in once} - kernels
    if kernels and len(kernels) >= min(work, len(outside)):
        yield from (one.span for one in once if one.kernel in outside and any(_is_as_large(o, one) for o in looped))


def _called_once(hosts: Sequence[Host], once: Mapping[str, int]) -> Iterator[Span]:
    """The launches of functions that only other files call, once, beside loops that launch as many kernels, or as many as a program has."""
    called = {name for host in hosts for name, _ in host.calls}
    for host in hosts:
        kernels = {launch.kernel for launch in host.launches}
        alone = not host.calls and not any(_is_within(host.loops, launch.span) for launch in host.launches)
        if alone and host.name not in called and once.get(host.name, 0) >= min(_WORK, len(kernels)):
            yield from (launch.span for launch in host.launches)


def _places(host: Host) -> Iterator[Span]:
    yield from (launch.span for launch in host.launches)
    yield from (span for _, span in host.calls)


def _in_loop(host: Host, place: Span) -> bool:
    return _is_within(host.many, place)


def _is_within(spans: Collection[Span], place: Span) -> bool:
    return any(span.encloses(place) for span in spans)


def _is_as_large(looped: Launched, once: Launched) -> bool:
    """Whether nothing says that a launch is over less than another."""
    return not times_more(looped, once) and (is_one_size(once) or not is_one_size(looped))


def repeated_functions(hosts: Sequence[Host]) -> frozenset[str]:
    """The functions that are called in a loop, or by one that is."""
    found: set[str] = set()
    more = {name for host in hosts for name, place in host.calls if _is_within(host.loops, place)}
    while more:
        found |= more
        more = {name for host in hosts if host.name in more for name, _ in host.calls} - found
    return frozenset(found)


def _above(host: Host, callers: Mapping[str, Sequence[Host]]) -> Iterator[Host]:
    """The function and those that call it."""
    seen, waiting = {host.name}, [host]
    while waiting:
        one = waiting.pop()
        yield one
        more = [caller for caller in callers.get(one.name, ()) if caller.name not in seen]
        seen.update(caller.name for caller in more)
        waiting.extend(more)


def launched_in_loops(host: Host, below: Mapping[str, Host], through_calls: bool) -> Iterator[Launched]:
    """What a function launches in loops of many rounds, itself or through those that it calls there; `through_calls`: or that those do
    which it calls anywhere."""
    seen: set[tuple[str, bool]] = set()
    waiting: list[tuple[Host, bool, Mapping[Span, Sizes | None]]] = [(host, False, {})]
    while waiting:
        one, looped, rounds = waiting.pop()
        if (one.name, looped) in seen:
            continue
        seen.add((one.name, looped))
        for launch in one.launches:
            if looped or _is_repeated(one, launch):
                yield replace(launch, rounds={**rounds, **launch.rounds})
        for call in one.leads.calls:
            again = looped or _in_loop(one, call.span)
            if call.name in below and (again or through_calls):
                waiting.append((below[call.name], again, {**rounds, **call.rounds}))


def _is_repeated(host: Host, launch: Launched) -> bool:
    return launch.span in host.steady and _in_loop(host, launch.span)
