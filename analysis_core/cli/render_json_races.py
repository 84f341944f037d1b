"""The data races of one launch as plain data of JSON schema 1."""

from __future__ import annotations

from collections import Counter
from typing import Any

from analysis_core.cli.terminal import printable
from analysis_core.races.verdicts import (
    AbsentLanes,
    Divergence,
    Ordering,
    Outside,
    Place,
    Race,
    RaceReport,
    Required,
    Thread,
    Witness,
)
from analysis_core.support.sources import Sources
from analysis_core.text.span import Span

Json = dict[str, Any]


def races_json(report: RaceReport, sources: Sources, path: str) -> Json:
    """Pairs that are not proved apart one by one, those that are by their number."""
    counts = Counter(race.verdict.value for race in report.races)
    return {
        "verdict": report.verdict.value,
        "cause": printable(report.cause) if report.cause else None,
        "cause_at": _maybe(report.because, sources, path),
        "pairs": {**counts, "absent": report.proved},
        "list": [_race(race, sources, path) for race in report.races],
        "divergences": [_divergence(one, sources, path) for one in report.divergences],
        "barriers": [_ordering(one, sources, path) for one in report.barriers],
        "outside": [_outside(one, sources, path) for one in report.outside],
        "absent_lanes": [_absent(one, sources, path) for one in report.absent],
    }


def _race(race: Race, sources: Sources, path: str) -> Json:
    return {
        "verdict": race.verdict.value,
        "cause": printable(race.cause) if race.cause else None,
        "cause_at": _maybe(race.because, sources, path),
        "accesses": [_place(place, sources, path) for place in (race.first, race.second)],
        "space": race.space.value,
        "scope": race.scope.value,
        "required": None if race.required is None else _required(race.required),
        "witness": None if race.witness is None else _witness(race.witness),
    }


def _required(required: Required) -> Json:
    return {"text": printable(required.text), "holds": required.holds}


def _place(place: Place, sources: Sources, path: str) -> Json:
    return {**_where(place.span, sources, path), "text": printable(place.text), "does": place.does}


def _maybe(span: Span | None, sources: Sources, path: str) -> Json | None:
    return None if span is None else _where(span, sources, path)


def _where(span: Span, sources: Sources, path: str) -> Json:
    elsewhere = {"path": printable(span.file)} if span.file != path else {}
    return {"line": sources.line(span), "span": [span.start, span.end], **elsewhere}


def _divergence(one: Divergence, sources: Sources, path: str) -> Json:
    return {
        "verdict": one.verdict.value,
        "cause": printable(one.cause) if one.cause else None,
        "barrier": {**_where(one.barrier, sources, path), "text": printable(one.text)},
        "scope": one.scope.value,
        "left": one.left,
        "thread": None if one.thread is None else _thread(one.thread),
        "absent": None if one.absent is None else _thread(one.absent),
        "values": {printable(name): value for name, value in one.values.items()},
    }


def _ordering(one: Ordering, sources: Sources, path: str) -> Json:
    pairs = [[_place(place, sources, path) for place in pair] for pair in one.pairs]
    return {
        **_where(one.barrier, sources, path),
        "text": printable(one.text),
        "cause": printable(one.cause) if one.cause else None,
        "orders": pairs,
    }


def _outside(one: Outside, sources: Sources, path: str) -> Json:
    where = {"array": printable(one.array), "size": one.size, "byte": one.byte, "thread": _thread(one.thread)}
    return {"access": _place(one.place, sources, path), **where}


def _absent(one: AbsentLanes, sources: Sources, path: str) -> Json:
    return {**_where(one.span, sources, path), "lanes": list(one.lanes), "thread": _thread(one.thread)}


def _thread(thread: Thread) -> Json:
    return {"block": list(thread.block), "thread": list(thread.thread)}


def _witness(witness: Witness) -> Json:
    return {
        "threads": [_thread(thread) for thread in witness.threads],
        "array": printable(witness.array),
        "byte": witness.byte,
        "values": {printable(name): value for name, value in witness.values.items()},
    }
