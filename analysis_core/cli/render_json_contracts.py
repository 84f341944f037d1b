"""The cost contracts of a kernel under one launch as plain data of JSON schema 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analysis_core.cli.terminal import printable
from analysis_core.contracts.verdicts import Broken, Contracted
from analysis_core.expressions.expression import Expression, to_python
from analysis_core.support.sources import Sources

Json = dict[str, Any]


def contracts_json(contracts: Iterable[Contracted], sources: Sources, path: str) -> list[Json]:
    """One by one, in the order of the text."""
    return [_contract(one, sources, path) for one in contracts]


def _contract(one: Contracted, sources: Sources, path: str) -> Json:
    return {
        **({"path": printable(one.span.file)} if one.span.file != path else {}),
        "line": sources.line(one.span),
        "span": [one.span.start, one.span.end],
        "metric": printable(one.metric),
        "scope": one.scope,
        "text": printable(one.text),
        "when": printable(one.when) or None,
        "about_line": None if one.place is None else sources.line(one.place),
        "verdict": one.standing.value,
        "upper": _text(one.upper),
        "lower": _text(one.lower),
        "assumptions": [printable(text) for text in one.assumptions],
        "cause": printable(one.cause) or None,
        "cause_line": None if one.because is None else sources.line(one.because),
        "broken": None if one.broken is None else _broken(one.broken),
    }


def _text(bound: Expression | None) -> str | None:
    return None if bound is None else printable(to_python(bound))


def _broken(broken: Broken) -> Json:
    return {
        "values": {printable(name): value for name, value in broken.values.items()},
        "grid": list(broken.grid),
        "paid": broken.paid,
        "stated": broken.stated,
        "block": None if broken.block is None else list(broken.block),
        "warp": broken.warp,
    }
