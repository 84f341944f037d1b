"""A file's report as one HTML page: bounds, charts over a size, the source with its costs, the lanes of each access.

The page asks nobody for anything: style, scripts and data stand in it, and its policy forbids all requests.  Bounds stay
the expressions that they are (JSON schema 1); `page/expressions.js` evaluates them, so that sizes can be chosen in the page.
Tested in a browser by tests/editors/test_page.py.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, replace
from html import escape
from pathlib import Path
from typing import Any

from analysis_core.cli.render_json import file_json, names_of
from analysis_core.cli.render_json_bounds import expression_json
from analysis_core.cli.terminal import printable
from analysis_core.expressions.expression import safe_name
from analysis_core.expressions.expression_people import in_people
from analysis_core.machine.gpus import gpus
from analysis_core.profile.sizes import representative_sizes
from analysis_core.program.launch import shape_text
from analysis_core.report.cost_places import OF_WORK, WORK, by_gain, cost_places, once, unreported
from analysis_core.report.findings.figures import unspoken_ideal, worst_launch
from analysis_core.report.findings.model import FileReport, KernelReport, LaunchReport
from analysis_core.report.line_costs import one_line
from analysis_core.requests.facts import AccessFact
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.text.span import FileId, Span

Json = dict[str, Any]

_FOLDER = Path(__file__).resolve().parent / "page"
_GPUS = _FOLDER.parents[1] / "machine" / "gpus.toml"
_SCRIPTS = (
    "expressions",
    "elements",
    "bounds",
    "roofline",
    "charts",
    "shapes",
    "source",
    "lanes",
    "open_lanes",
    "accesses",
    "races",
    "overview",
    "main",
)


ROOFLINE = {"flops": {"flops": 1}, "flops_f64": {"flops.f64": 1}, "bytes": {"bytes": 1}}
"""The metrics that a page needs to place launches under the roofline."""


def page(
    report: FileReport, sources: Sources, settings: Settings, line: int = 0, shapes: Mapping[Span, Json] | None = None
) -> str:
    """The whole page as text.  `line`: it opens at the kernel around this line (from 1).  `shapes`: what kernels would pay with other blocks, by the
    places of their names."""
    style = (_FOLDER / "page.css").read_text(encoding="utf-8")
    script = "".join((_FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS)
    script = f"(() => {{\n'use strict';\n{script}}})();\n"
    name = escape(printable(os.path.basename(report.path)))
    # In JSON, `<` stands in strings only; escaped, no text of a source can end the element.
    data = (
        json.dumps({**page_data(report, sources, settings, shapes or {}), "line": line})
        .replace("<", "\\u003c")
        .replace("##", "#\\u0023")
    )
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>warpcost: {name}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        "<noscript>This report draws itself, and needs scripts to be allowed.</noscript>\n"
        f'<script type="application/json" id="data">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n'
    )


def page_data(
    report: FileReport, sources: Sources, settings: Settings, shapes: Mapping[Span, Json] | None = None
) -> Json:
    """The JSON of schema 1, and what only a page shows: pictures of lanes, representative sizes, the text."""
    report = replace(report, kernels=tuple(replace(one, findings=by_gain(one)) for one in report.kernels))
    found = file_json(report, sources, settings)
    for shown, kernel in zip(found["kernels"], report.kernels):
        shown["title"] = printable(kernel.instantiation or kernel.name)
        shown["lines"] = _lines(kernel, sources)
        shown["shapes"] = (shapes or {}).get(kernel.name_span)
        shown["failure"] = None if kernel.failure is None else printable(kernel.failure)
        worst = worst_launch(kernel, settings)
        shown["worst"] = next((i for i, launch in enumerate(kernel.launches) if launch is worst), 0)
        for row, launch in zip(shown["launches"], kernel.launches):
            row.update(_launch(launch, row, sources, settings))
            row.update(_gains(kernel, launch, report.path, sources, settings))
    known = all(settings.metrics.get(name) == weights for name, weights in ROOFLINE.items())
    return {
        **found,
        "text": _text(report, sources),
        **({"gpus": [asdict(gpu) for gpu in gpus(_GPUS.read_text(encoding="utf-8"))]} if known else {}),
    }


def _lines(kernel: KernelReport, sources: Sources) -> list[int]:
    """The first and the last line of a kernel, from 1."""
    index = sources.index(kernel.span.file)
    return [index.line_of(kernel.span.start), index.line_of(max(kernel.span.start, kernel.span.end - 1))]


def _launch(launch: LaunchReport, row: Json, sources: Sources, settings: Settings) -> Json:
    facts = launch.facts
    sizes = representative_sizes(launch.profile, settings).values
    by_source = {symbol["source"]: safe for safe, symbol in row["symbols"].items()}
    named = {by_source.get(name) or safe_name(name): value for name, value in sizes.items()}
    values = {safe: named.get(safe, settings.representative_size) for safe in row["symbols"]}
    accesses = [{**shown, **_picture(access)} for shown, access in zip(row["accesses"], facts.accesses)]
    place = "" if facts.launch_span is None else f", line {sources.line(facts.launch_span)}"
    grid = None if facts.grid is None else f"({', '.join(map(in_people, facts.grid))})"
    title = f"block {shape_text(facts.block)}" + (f", grid {grid}" if grid else "") + f" (from {facts.source}{place})"
    bounds = {**row["bounds"], **_ideals(launch, row["bounds"])}
    return {"title": printable(title), "sizes": values, "accesses": accesses, "bounds": bounds}


def _gains(kernel: KernelReport, launch: LaunchReport, path: str, sources: Sources, settings: Settings) -> Json:
    """The places of a launch by what could be saved there, and what is lost and not reported."""

    def at(span: Span) -> Json:
        place = {} if span.file == path else {"path": printable(span.file)}
        return {**place, "line": sources.line(span)}

    places = cost_places(kernel, launch, settings)
    listed = [
        {
            **at(p.span),
            "metric": p.metric,
            "text": printable(one_line(p.text, 60)),
            "what": printable(p.what),
            "share": " · ".join(p.share_texts()),
            "unreported": printable(p.unreported),
        }
        for p in once(places, lambda span: f"{span.file}:{sources.line(span)}")
    ]
    silent = [
        {**at(one.span), "metric": one.metric, "gain": one.gain, "reason": printable(one.reason)}
        for one in unreported(kernel, launch, places)
    ]
    explained = any(OF_WORK in one["share"] for one in listed) or bool(silent)
    return {"gains": listed, "unreported": silent, "work": WORK if explained else ""}


def _ideals(launch: LaunchReport, shown: Json) -> Json:
    """The bounds with the ideal of each case, which holds where the case does; schema 1 has one for all."""
    names, bounds = names_of(launch), launch.facts.bounds
    found = {}
    for name, bound in ({} if bounds is None else bounds.metrics).items():
        old, ideal = shown[printable(name)], unspoken_ideal(name) if bound.ideal is None else bound.ideal
        cases = [
            {**case, "ideal": expression_json(known.ideal, names)}
            for case, known in zip(old["per_warp"]["cases"], bound.per_warp.cases, strict=True)
        ]
        warp = {**old["per_warp"], "cases": cases}
        found[printable(name)] = {**old, "per_warp": warp, "ideal": expression_json(ideal, names)}
    return found


def _picture(access: AccessFact) -> Json:
    """The lanes of the worst request: where they go, or (`open`) within which ends they cost what memory decides."""
    picture, lanes = access.picture, access.open
    if picture is None or not picture.group:
        return {"picture": None, "open": None if lanes is None else asdict(lanes)}
    bank = access.why.story.bank if access.why.story is not None else None
    return {
        "open": None,
        "picture": {
            "unit": picture.unit,
            "group": list(picture.group),
            "stride": None if picture.stride is None else printable(picture.stride),
            "bank": None if bank is None else printable(bank),
        },
    }


def _text(report: FileReport, sources: Sources) -> list[str]:
    """The lines of the file itself."""
    index = sources.index(FileId(report.path))
    return [printable(index.line_text(line)) for line in range(1, index.line_count + 1)]


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
