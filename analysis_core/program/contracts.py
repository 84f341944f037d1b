"""What cost contracts are about: the statement behind them, and a metric that there is."""

from __future__ import annotations

from analysis_core.expressions.metric import Metric
from analysis_core.support.settings import Settings
from analysis_core.support.spelling import did_you_mean
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.annotation_tree import ContractAnnotation, Misstatement
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.span import Span


def place_of(function: syn.FunctionDecl, said: ContractAnnotation) -> Span | Misstatement | None:
    """The text of the statement that a contract in a kernel's body is about, or what is wrong if there is none; None before the body."""
    body = function.body
    if body is None or not body.span.encloses(said.span):
        return None
    blocks = [n for n in (body, *inside(body)) if isinstance(n, syn.Compound)]
    around = [block for block in blocks if block.span.encloses(said.span)]
    block = min(around, key=lambda b: b.span.end - b.span.start)
    if any(one.span.encloses(said.span) for one in block.body):
        return Misstatement("a contract stands between the statements of a block in braces", said.span)
    after = [one for one in block.body if one.span.file == said.span.file and one.span.start >= said.span.end]
    if not after:
        return Misstatement("no statement follows that this contract could be about", said.span)
    return after[0].span


def misnamed(said: ContractAnnotation, place: Span | None, settings: Settings) -> Misstatement | None:
    """What is wrong with its metric, if anything."""
    known = (*(metric.value for metric in Metric), *settings.metrics)
    if said.metric not in known:
        hint = did_you_mean(said.metric, known) or f"; there are {', '.join(known)}"
        return Misstatement(f"`{said.metric}` is no metric{hint}", said.metric_span)
    counted = settings.metrics.get(said.metric, {said.metric: 1})
    if place is not None and Metric.STEPS.value in counted:
        return Misstatement("steps are counted of whole kernels; say it before the kernel", said.metric_span)
    return None
