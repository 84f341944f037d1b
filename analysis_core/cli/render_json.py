"""A file's report as plain data of JSON schema 1 (`analysis_core/report/schema1.json` says the same).

Expressions become text that Python evaluates (`expressions/expression.py`), with names made safe and distinct per launch;
spans stay byte offsets, lines and columns count from 1, columns in bytes.  A finding, access or branch that stands in
another file than the one asked for (a header) says so in `path`.  Findings that belong to no kernel (a bad setting) stand in the file's own `findings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis_core.bounds.bounds_walk import expressions
from analysis_core.cli.fingerprint import Place, fingerprints, place_of
from analysis_core.cli.render_json_bounds import bounds_json, expression_json, work_span_json
from analysis_core.cli.render_json_claims import claims_json, contracts_json
from analysis_core.cli.render_json_races import races_json
from analysis_core.cli.terminal import printable
from analysis_core.expressions.expression import safe_name, safe_names, symbols
from analysis_core.ir.nodes import IfKind, LoopKind
from analysis_core.profile.sizes import kind_by_name, representative_sizes, symbol_infos
from analysis_core.report.findings.model import FileReport, Finding, Fix, KernelReport, LaunchReport, Note
from analysis_core.requests.facts import AccessFact, BranchFact, Certainty, KernelFacts, SizedCost
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.text.span import Span
from analysis_core.traffic.narrow_requests import Narrow
from analysis_core.traffic.own_arrays import OwnArray

Json = dict[str, Any]

SCHEMA = 1

_LONGEST_HEAD = 400


def file_json(report: FileReport, sources: Sources, settings: Settings) -> Json:
    """One element of `files`.  `settings` say at which sizes shares are taken."""
    of_kernels = {finding for kernel in report.kernels for finding in kernel.findings}
    names = fingerprints(report, sources)
    return {
        "path": printable(report.path),
        "kernels": [_kernel(kernel, names, sources, report.path, settings) for kernel in report.kernels],
        "findings": [_finding(f, names, sources, report.path) for f in report.findings if f not in of_kernels],
    }


def _kernel(kernel: KernelReport, names: Mapping[Place, str], sources: Sources, path: str, settings: Settings) -> Json:
    return {
        "name": printable(kernel.name),
        "instantiation": None if kernel.instantiation is None else printable(kernel.instantiation),
        "line": sources.line(kernel.name_span),
        "span": _span(kernel.span),
        "launches": [_launch(launch, kernel.span, sources, path, settings) for launch in kernel.launches],
        "findings": [_finding(finding, names, sources, path) for finding in kernel.findings],
    }


def _launch(launch: LaunchReport, scope: Span, sources: Sources, path: str, settings: Settings) -> Json:
    facts = launch.facts
    sizes = representative_sizes(launch.profile, settings).values
    names = names_of(launch)
    return {
        "block": list(facts.block),
        "grid": None if facts.grid is None else list(facts.grid),
        "source": facts.source,
        "assumptions": [printable(assumption.text) for assumption in facts.assumptions],
        "symbols": _symbol_table(facts, names),
        "bounds": bounds_json(facts.bounds, scope, names, sources, sizes),
        "work_span": work_span_json(facts.bounds, names),
        "accesses": [_access(access, names, sources, path) for access in facts.accesses],
        "branches": [_branch(branch, names, sources, path) for branch in facts.branches],
        "races": None if launch.profile.races is None else races_json(launch.profile.races, sources, path),
        "claims": claims_json(launch.profile.claims, sources, path),
        "contracts": contracts_json(launch.profile.contracts, sources, path),
        "narrow_requests": [_narrow(one, launch.facts, sources, path) for one in launch.profile.narrow],
        "local_arrays": [_own_array(array, sources, path) for array in launch.profile.own],
    }


def _narrow(narrow: Narrow, facts: KernelFacts, sources: Sources, path: str) -> Json:
    places = [facts.accesses[number] for number in narrow.accesses]
    return {
        **_elsewhere(places[0].span, path),
        "lines": [sources.line(place.span) for place in places],
        "base": printable(places[0].base),
        "bytes": narrow.width,
        "requests": narrow.requests,
        "wide": narrow.wide,
        "assumed": [printable(name) for name in narrow.assumed],
    }


def _own_array(array: OwnArray, sources: Sources, path: str) -> Json:
    line, column = sources.position(array.span)
    place = {"line": line, "column": column, "span": _span(array.span)}
    return {**_elsewhere(array.span, path), **place, "name": printable(array.name), "bytes": array.bytes}


def names_of(launch: LaunchReport) -> Mapping[str, str]:
    """Name in the source -> safe name, for every symbol of the launch."""
    return safe_names(_symbols(launch) | {info.source for info in launch.facts.symbols})


def _symbols(launch: LaunchReport) -> set[str]:
    facts = launch.facts
    shown = [access.times for access in facts.accesses] + [branch.times for branch in facts.branches]
    found = [expression for expression in shown if expression is not None]
    found += () if facts.bounds is None else expressions(facts.bounds)
    return {name for expression in found for name in symbols(expression)}


def _symbol_table(facts: KernelFacts, names: Mapping[str, str]) -> Json:
    """Safe name -> spelling and kind, for every symbol of the launch."""
    infos = symbol_infos(facts)
    table: Json = {}
    for name, safe in sorted(names.items(), key=lambda item: item[1]):
        info = infos.get(name)
        kind = kind_by_name(name) if info is None else info.kind
        table[safe] = {"source": printable(name if info is None else info.source), "kind": kind}
    return table


def _access(access: AccessFact, names: Mapping[str, str], sources: Sources, path: str) -> Json:
    line, column = sources.position(access.span)
    sized = access.variation.sized
    return {
        **_elsewhere(access.span, path),
        "id": access.ids[0] if access.ids else -1,
        "line": line,
        "column": column,
        "span": _span(access.span),
        "text": printable(access.text),
        "via": [sources.line(span) for span in access.via],
        "space": access.space.value,
        "rw": access.rw.value,
        "requests": access.requests,
        "bytes": access.bytes,
        "worst": access.worst,
        "best": access.best,
        **({} if access.variation.ideals is None else {"ideals": list(access.variation.ideals)}),
        "ideal": access.ideal,
        "times": expression_json(access.times, names),
        "pattern": access.pattern.value,
        "cause": _because(access),
        "base": printable(access.base),
        "exact": access.exact,
        "certainty": access.certainty.value,
        "cases": _cases(access, names),
        "data_dependent": access.why.data_dependent,
        **({} if sized is None else {"sizes": [_sized(one) for one in sized.costs]}),
        "contention": access.contention,
        **({} if access.reuse is None else {"reuse": {"loads": access.reuse.loads, "elements": access.reuse.fresh}}),
        **({} if access.meets is None else {"meets": {"warp": access.meets[0], "block": access.meets[1]}}),
        "excess": access.excess,
    }


def _sized(cost: SizedCost) -> Json:
    """What it costs where types that are not declared have so many bytes."""
    return {"bytes": cost.bytes, "worst": cost.worst, "best": cost.best, "ideal": cost.ideal}


def _cases(access: AccessFact, names: Mapping[str, str]) -> list[Json]:
    """By residue of a symbol, or by its size."""
    cases: list[Json] = [{"when": case.when, "cost": case.cost} for case in access.cases]
    if (sizes := access.variation.sizes) is not None:
        name = names.get(sizes.symbol) or safe_name(sizes.symbol)
        cases.append({"when": f"{name} >= {sizes.threshold}", "cost": sizes.worst})
        cases.append({"when": f"{name} == {sizes.value}", "cost": sizes.least})
    return cases


def _because(access: AccessFact) -> str | None:
    """Why the address is not known, else why the cost is a range."""
    ranged = access.why.because if access.certainty is Certainty.RANGED else None
    reason = ranged if access.why.cause is None else access.why.cause.reason
    return None if reason is None else printable(reason)


def _branch(branch: BranchFact, names: Mapping[str, str], sources: Sources, path: str) -> Json:
    line, column = sources.position(branch.span)
    return {
        **_elsewhere(branch.span, path),
        "line": line,
        "column": column,
        "kind": _kind(branch.kind),
        "divergence": branch.divergence.value,
        "active": list(branch.splits.active),
        "cause": None if branch.why.cause is None else printable(branch.why.cause.reason),
        "span": _span(branch.span),
        "text": printable(branch.spelled.text),
        "via": [sources.line(span) for span in branch.via],
        "times": expression_json(branch.times, names),
        **_leaving(branch),
        **_head(branch, sources),
    }


def _head(branch: BranchFact, sources: Sources) -> Json:
    """Of a loop, the text of all that decides how often it goes round; a long one is left out."""
    span = branch.spelled.head
    if span is None or not isinstance(branch.kind, LoopKind) or span.end - span.start > _LONGEST_HEAD:
        return {}
    return {"head": printable(" ".join(sources.text(span).split()))}


def _leaving(branch: BranchFact) -> Json:
    """How far apart lanes leave a loop, in iterations, and what part of them they wait."""
    if not isinstance(branch.kind, LoopKind):
        return {"spread": None}
    idle = {} if branch.leaving.waiting is None else {"idle": round(branch.leaving.waiting, 4)}
    return {"spread": branch.leaving.spread, **idle}


def _kind(kind: IfKind | LoopKind | str) -> str:
    """All loops are "loop" in the schema."""
    match kind:
        case IfKind():
            return kind.value
        case LoopKind():
            return "loop"
        case _:
            return kind


def _finding(finding: Finding, names: Mapping[Place, str], sources: Sources, path: str) -> Json:
    line, column = sources.position(finding.span)
    return {
        **_elsewhere(finding.span, path),
        "code": finding.check,
        "level": finding.level.value,
        "line": line,
        "column": column,
        "span": _span(finding.span),
        "message": printable(finding.message),
        "share": None if finding.share is None else round(finding.share, 6),
        "fingerprint": names[place_of(finding)],
        "notes": [_note(note, sources, path) for note in finding.notes],
        "fixes": [_fix(fix, path) for fix in finding.fixes],
    }


def _note(note: Note, sources: Sources, path: str) -> Json:
    """A remark; with the place that it is about, where it has one."""
    if note.span is None:
        return {"message": printable(note.message)}
    line, column = sources.position(note.span)
    place = {**_elsewhere(note.span, path), "line": line, "column": column, "span": _span(note.span)}
    return {"message": printable(note.message), **place}


def _fix(fix: Fix, path: str) -> Json:
    edits = [{**_elsewhere(e.span, path), "span": _span(e.span), "text": printable(e.text)} for e in fix.edits]
    return {"title": printable(fix.title), "edits": edits}


def _elsewhere(span: Span, path: str) -> Json:
    """The file of the span, if it is not the one at `path`."""
    return {} if span.file == path else {"path": printable(span.file)}


def _span(span: Span) -> list[int]:
    return [span.start, span.end]
