"""The data races of one launch as plain data of JSON schema 1."""

from __future__ import annotations

from collections import Counter
from typing import Any

from analysis_core.cli.terminal import printable
from analysis_core.races.verdicts import Place, Race, RaceReport, Witness
from analysis_core.support.sources import Sources

Json = dict[str, Any]


def races_json(report: RaceReport, sources: Sources, path: str) -> Json:
    """Pairs that are not proved apart one by one, those that are by their number."""
    counts = Counter(race.verdict.value for race in report.races)
    return {
        "verdict": report.verdict.value,
        "cause": printable(report.cause) if report.cause else None,
        "pairs": {**counts, "absent": report.proved},
        "list": [_race(race, sources, path) for race in report.races],
    }


def _race(race: Race, sources: Sources, path: str) -> Json:
    return {
        "verdict": race.verdict.value,
        "cause": printable(race.cause) if race.cause else None,
        "accesses": [_place(place, sources, path) for place in (race.first, race.second)],
        "witness": None if race.witness is None else _witness(race.witness),
    }


def _place(place: Place, sources: Sources, path: str) -> Json:
    elsewhere = {"path": printable(place.span.file)} if place.span.file != path else {}
    span = [place.span.start, place.span.end]
    return {
        "line": sources.line(place.span),
        "span": span,
        "text": printable(place.text),
        "does": place.does,
        **elsewhere,
    }


def _witness(witness: Witness) -> Json:
    return {
        "block": list(witness.block),
        "threads": [list(thread) for thread in witness.threads],
        "array": printable(witness.array),
        "byte": witness.byte,
        "values": {printable(name): value for name, value in witness.values.items()},
    }
