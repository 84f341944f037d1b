"""The claims and the cost contracts of annotations under one launch as plain data of JSON schema 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analysis_core.claims.verdicts import Judged
from analysis_core.cli.terminal import printable
from analysis_core.contracts.verdicts import Broken, Contracted
from analysis_core.expressions.expression import Expression, to_python
from analysis_core.support.sources import Sources
from analysis_core.text.span import Span

Json = dict[str, Any]


def claims_json(claims: Iterable[Judged], sources: Sources, path: str) -> list[Json]:
    """One by one, in the order of the text."""
    return [_claim(one, sources, path) for one in claims]


def _claim(one: Judged, sources: Sources, path: str) -> Json:
    thread = None if one.thread is None else {"block": list(one.thread.block), "thread": list(one.thread.thread)}
    return {
        **_where(one.span, sources, path),
        "word": one.word,
        "text": printable(one.text),
        "verdict": one.standing.value,
        "how": one.how or None,
        "cause": printable(one.cause) if one.cause else None,
        "cause_line": None if one.place is None else sources.line(one.place),
        "thread": thread,
        "values": {printable(name): value for name, value in one.values.items()},
    }


def _where(span: Span, sources: Sources, path: str) -> Json:
    elsewhere = {"path": printable(span.file)} if span.file != path else {}
    return {"line": sources.line(span), "span": [span.start, span.end], **elsewhere}


def contracts_json(contracts: Iterable[Contracted], sources: Sources, path: str) -> list[Json]:
    """One by one, in the order of the text."""
    return [_contract(one, sources, path) for one in contracts]


def _contract(one: Contracted, sources: Sources, path: str) -> Json:
    return {
        **_where(one.span, sources, path),
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
