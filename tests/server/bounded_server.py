"""The real server with the real analysis, whose bounds are made by hand: 40 sectors, 124 conflicts, nothing on splits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from analysis_core.expressions.bounds import KernelBounds, LineCost
from analysis_core.expressions.expression import integer
from analysis_core.requests.facts import KernelFacts
from analysis_core.support.interrupts import Interrupts
from lsp_server.analyse import Job, analyse
from lsp_server.answers import Answer, Parts
from lsp_server.worker import Worker
from lsp_server.worker_process import Send
from tests.report.bound_samples import metric, withheld


def bounded(facts: KernelFacts) -> KernelFacts:
    """The facts with bounds on what they have accesses for."""
    worst = max(facts.accesses, key=lambda access: access.worst, default=None)
    places = () if worst is None else (LineCost(worst.span, worst.text, integer(124)),)
    found = (metric("sectors", 40, 32, places, ideal=32), metric("conflicts", 124), metric("steps", 9))
    return replace(
        facts, bounds=KernelBounds({bound.metric: bound for bound in (*found, withheld("divergences"))})
    )  # fmt: skip


def make_bounded() -> Callable[[Job, Send, Interrupts], Answer]:
    return lambda job, send, interrupts: analyse_bounded(job)


def analyse_bounded(job: Job) -> Answer:
    whole = Parts()
    answer = whole.take(analyse(job), frozenset())
    answer = replace(answer, report=whole.whole(answer), parts=())
    kernels = tuple(
        replace(
            kernel,
            launches=tuple(
                replace(one, profile=replace(one.profile, facts=bounded(one.facts))) for one in kernel.launches
            ),
        )
        for kernel in answer.report.kernels
    )
    return replace(answer, report=replace(answer.report, kernels=kernels))


if __name__ == "__main__":
    from lsp_server.server import make_server, serve  # What the worker does not need.
    from tests.server import bounded_server  # by its name: what the worker is to load

    serve(make_server(Worker(bounded_server.make_bounded)))
