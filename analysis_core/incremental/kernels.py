"""One kernel through the stages, each of which is asked of the store first.

    IR -> (fingerprint) -> facts without bounds -> facts with bounds -> and with races -> report

The first facts are there in milliseconds, and findings can be made from them; bounds may take a hundred times as long.  So
a kernel is analysed in steps, and whoever asks may show the first while the next runs: races come last, and only of kernels with
shared memory.  What a step gives depends on
the IR but for places, and on the settings; where the text stands is put back in (`packing.replaced`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from time import perf_counter

from analysis_core.incremental.asked import Asked
from analysis_core.incremental.entry import Entry, head_of
from analysis_core.incremental.kernel_pieces import pack_kernel, unpack_kernel, unread_names
from analysis_core.incremental.places import Moved
from analysis_core.incremental.trails import Way, keep_way, last_way
from analysis_core.interp.interpret import interpret
from analysis_core.interp.resume.trail import shape_of
from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline.clock import Clock
from analysis_core.pipeline.further_launches import with_further
from analysis_core.pipeline.launch_stages import Costed, bound_launch, cost_launch, may_race, race_launch
from analysis_core.pipeline.pipeline import failed_report, judge_launch, kernel_report
from analysis_core.profile.access_profile import AccessProfile, KernelProfile
from analysis_core.program.launch import Launch, choose_launches
from analysis_core.report.checks.budget_exceeded import left_out
from analysis_core.report.findings.model import KernelReport
from analysis_core.support.packing import Packed, mentions, pack, replaced, unpack
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.support.store import Stage, Store
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

FACTS: Stage[bytes, tuple[Packed, tuple[str, ...]]] = Stage("facts of kernels", 20_000_000, lambda found: found[0].size)
"""By fingerprint of the IR and the settings, without bounds or with them, and with the names that are no part of it; in bytes."""

_QUICK, _WHOLE, _RACED = b"without bounds", b"with bounds", b"with races"


@dataclass(frozen=True, slots=True, eq=False)
class Working:
    """What the kernels of one analysis share. `meaning`: a text of the settings that tells them apart."""

    asked: Asked
    settings: Settings
    meaning: str
    store: Store


@dataclass(frozen=True, slots=True, eq=False)
class Pending:
    """A kernel whose bounds are still to be found.  `key`: a digest of what it means, and of the settings; `costed`: what bounds are made from,
    if it is at hand."""

    kernel: Kernel
    packed: Packed
    key: bytes
    costed: Way | None
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The facts of each launch, also packed."""

    facts: tuple[KernelProfile, ...]
    packed: Packed

    @staticmethod
    def of(facts: tuple[KernelProfile, ...]) -> _Found:
        return _Found(facts, pack(facts))


def begun(kernel: Kernel, work: Working, sources: Sources) -> tuple[Entry, Pending | None]:
    """The entry of a kernel: complete if its bounds are known, else with what remains to be done."""
    started, complete = perf_counter(), not (work.settings.bounds and kernel.bounded)
    packed, digest = pack_kernel(kernel, work.store)
    key = blake2b(digest + work.meaning.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    pending = Pending(kernel, packed, key, None, 0.0)
    try:
        if (settled := _settled(pending, work, sources)) is not None:
            return settled, None
        facts, costed = _remembered(work, key + _QUICK, packed), None
        work.store.note("interpreted", kernel.name, reused=facts is not None)
        if facts is None:
            work.asked.begin(kernel.name, key)
            past = last_way(work.asked.path, kernel, work.store)
            with work.store.waiting() as store, work.asked.interrupts.pure():
                costed = _costed(kernel, work, past, store)
            keep_way(work.asked.path, kernel, costed, past, work.store)
            executed = sum(one.trail.executed for one in costed if one.trail is not None)
            work.store.note("executed", kernel.name, count=executed)
            made = tuple(one.profile for one in costed)
            with work.asked.interrupts.pure():
                facts = _found(kernel, made, work) if complete else _Found.of(_numbered(made, kernel))
            _remember(work, key + (_WHOLE if complete else _QUICK), facts, packed)
        entry = _finished(pending, facts, work.settings, sources, complete, started)
    except Exception as error:
        return _failed(pending, error, started), None
    if complete:
        return entry, None
    return entry, replace(pending, costed=costed, seconds=perf_counter() - started)


def resumed(entry: Entry) -> Pending:
    """What remains to be done of a kernel whose facts were found out in an earlier analysis, before whose end an edit came."""
    packed = entry.kernel.packed()
    return Pending(unpack_kernel(packed), packed, entry.key, None, 0.0)


def _settled(pending: Pending, work: Working, sources: Sources) -> Entry | None:
    """The entry of a kernel that is to be left out, or whose bounds are known."""
    started = perf_counter()
    if (how := work.asked.avoided.get(pending.key)) is not None:
        return _left_out(pending, how, started)
    last = _RACED if work.settings.bounds and pending.kernel.bounded and may_race(pending.kernel) else _WHOLE
    whole = _remembered(work, pending.key + last, pending.packed)
    if whole is None:
        return None
    work.store.note("interpreted", pending.kernel.name, reused=True)
    work.store.note("bounded", pending.kernel.name, reused=True)
    return _finished(pending, whole, work.settings, sources, True, started)


def bounded(pending: Pending, work: Working, sources: Sources) -> Entry:
    """The kernel's entry with its bounds: complete unless races are still to be looked for (`raced`)."""
    started, kernel = perf_counter() - pending.seconds, pending.kernel
    complete = not may_race(kernel)
    try:
        if pending.costed is None and (settled := _settled(pending, work, sources)) is not None:
            return settled
        if (known := _remembered(work, pending.key + _WHOLE, pending.packed)) is not None:
            return _finished(pending, known, work.settings, sources, complete, started)
        work.asked.begin(kernel.name, pending.key)
        with work.store.waiting() as store, work.asked.interrupts.pure():
            costed = pending.costed or _costed(kernel, work, again=False)
            bounds = _bounded(kernel, work, costed, store)
            facts = _found(kernel, bounds, work, store)
        work.store.note("bounded", kernel.name)
        _note_solved(kernel, facts.facts, work.store)
        _remember(work, pending.key + _WHOLE, facts, pending.packed)
        return _finished(pending, facts, work.settings, sources, complete, started)
    except Exception as error:
        return _failed(pending, error, started)


def raced(entry: Entry, work: Working, sources: Sources) -> Entry:
    """The entry of a kernel whose bounds are known, with its data races.  What is interpreted for them is interpreted afresh: numbers of symbols that
    were taken over from an earlier time do not tell which round made them."""
    started, pending, store = perf_counter(), resumed(entry), work.store
    kernel = pending.kernel
    try:
        whole = _remembered(work, pending.key + _WHOLE, pending.packed)
        profiles = unpack(entry.facts.packed()) if whole is None else whole.facts
        if not profiles or not may_race(kernel):
            return entry  # what was to be found out before failed, and another time may go better
        work.asked.begin(kernel.name, pending.key)
        with store.waiting(), work.asked.interrupts.pure():
            found = _Found.of(tuple(_raced(kernel, work, profiles)))
        store.note("raced", kernel.name)
        _remember(work, pending.key + _RACED, found, pending.packed)
        return _finished(pending, found, work.settings, sources, True, started)
    except Exception as error:
        return _failed(pending, error, started)


def _raced(kernel: Kernel, work: Working, profiles: Iterable[KernelProfile]) -> Iterator[KernelProfile]:
    for launch, profile in zip(_launches(kernel, work), profiles, strict=True):
        yield race_launch(kernel, launch, profile, interpret(kernel, launch, work.settings), work.settings, Clock())


def _note_solved(kernel: Kernel, facts: Sequence[KernelProfile], store: Store) -> None:
    """Whether its linear programs, if there are any, were solved or known."""
    bounds = [one.facts.bounds for one in facts if one.facts.bounds is not None]
    if any(metric.per_warp.method == "lp" for one in bounds for metric in one.metrics.values()):
        store.note("solved", kernel.name, reused=not any(one.solver_seconds for one in bounds))


def _costed(
    kernel: Kernel, work: Working, past: Way = (), store: Store | None = None, again: bool = True
) -> tuple[Costed, ...]:
    by_launch = {shape_of(one.trail.launch): one for one in past if one.trail is not None}
    return tuple(
        cost_launch(kernel, launch, work.settings, Clock(), by_launch.get(shape_of(launch)), again, store)
        for launch in _launches(kernel, work)
    )


def _bounded(kernel: Kernel, work: Working, costed: Way, store: Store) -> tuple[KernelProfile, ...]:
    return tuple(
        bound_launch(kernel, launch, one, work.settings, Clock(), store)
        for launch, one in zip(_launches(kernel, work), costed, strict=True)
    )


def _found(kernel: Kernel, profiles: Iterable[KernelProfile], work: Working, store: Store | None = None) -> _Found:
    """What is known of a kernel in the end: at other common blocks, too, where that is asked."""
    numbered = zip(_launches(kernel, work), _numbered(profiles, kernel), strict=True)
    found = [with_further(kernel, launch, profile, work.settings, store) for launch, profile in numbered]
    return _Found.of(tuple(_further_numbered(profile, kernel) for profile in found))


def _further_numbered(profile: KernelProfile, kernel: Kernel) -> KernelProfile:
    at_numbers = None if profile.at_numbers is None else _plainly_numbered(profile.at_numbers, kernel)
    return replace(profile, at_other_blocks=_numbered(profile.at_other_blocks, kernel), at_numbers=at_numbers)


def _launches(kernel: Kernel, work: Working) -> Iterator[Launch]:
    """Launches to be analysed one after the other, each of which is a step of its own."""
    for launch in choose_launches(kernel, work.settings):
        work.asked.alive()
        yield launch


def _numbered(profiles: Iterable[KernelProfile], kernel: Kernel) -> tuple[KernelProfile, ...]:
    return tuple(_plainly_numbered(profile, kernel) for profile in profiles)


def _plainly_numbered(profile: KernelProfile, kernel: Kernel) -> KernelProfile:
    """The profile with the numbers that accesses have if none are left out."""
    if not kernel.left_out:
        return profile

    def numbered(access: AccessProfile) -> AccessProfile:
        fact = replace(access.fact, ids=tuple(map(kernel.plain_number, access.fact.ids)))
        return replace(access, fact=fact, merged=None if access.merged is None else numbered(access.merged))

    accesses = tuple(map(numbered, profile.accesses))
    facts = replace(profile.facts, accesses=tuple(one.fact for one in accesses))
    return replace(profile, facts=facts, accesses=accesses)


def renamed(entry: Entry, settings: Settings, sources: Sources) -> Entry:
    """The entry with trip counts named after the present lines."""
    facts = entry.facts.packed()
    found = _Found(unpack(facts), facts)
    return _finished(resumed(entry), found, settings, sources, entry.complete, perf_counter())


def _finished(
    of: Pending, found: _Found, settings: Settings, sources: Sources, complete: bool, started: float
) -> Entry:
    """Facts in the words of the text, judged."""
    kernel = of.kernel
    launches = tuple(judge_launch(kernel, one, settings, sources) for one in found.facts)
    report = kernel_report(kernel, launches, perf_counter() - started)
    spans = {
        info.span for one in found.facts for info in one.facts.symbols if info.kind == "trip" and info.span is not None
    }
    trips = tuple((span, sources.line(span)) for span in sorted(spans))
    return _entry(report, of, Moved.placed(found.packed), trips, complete)


def _left_out(of: Pending, how: str, started: float) -> Entry:
    found = (left_out(of.kernel.name_span, how),)
    report = replace(kernel_report(of.kernel, (), perf_counter() - started), findings=found, unknowns=())
    return _entry(report, of, Moved.of(()), (), True)


def _failed(of: Pending, error: Exception, started: float) -> Entry:
    """What is said of a kernel whose analysis failed, which is complete unless another time may go better."""
    report = failed_report(of.kernel, error, perf_counter() - started)
    return _entry(report, of, Moved.of(()), (), not isinstance(error, MemoryError))


def _entry(
    report: KernelReport, of: Pending, facts: Moved, trips: tuple[tuple[Span, int], ...], complete: bool
) -> Entry:
    head, whole, sites = Moved.of(head_of(report)), Moved.of(report), Moved.of(of.kernel.launches)
    return Entry.of(report.name, of.key, (head, whole, Moved.placed(of.packed), facts, sites), trips, complete)


def _remember(work: Working, key: bytes, found: _Found, kernel: Packed) -> None:
    packed = found.packed
    work.store.put(FACTS, key, (Packed(packed.data, (*packed.spans, *kernel.spans)), unread_names(kernel)))


def _remembered(work: Working, key: bytes, kernel: Packed) -> _Found | None:
    """Facts from the store, about the text where it stands now."""
    found, names = work.store.get(FACTS, key) or (None, ())
    if found is None:
        return None
    renamed = [old for old, new in zip(names, unread_names(kernel), strict=True) if old != new]
    if any(mentions(found, name) for name in renamed):
        return None
    own = len(found.spans) - len(kernel.spans)
    places = replaced(found.spans[:own], found.spans[own:], kernel.spans)
    if places is None:
        return None
    packed = Packed(found.data, places)
    return _Found(unpack(packed), packed)
