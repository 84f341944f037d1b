"""The real server with the real analysis, whose bounds are made by hand: 40 sectors, 124 conflicts, nothing on splits."""

from __future__ import annotations

import sys
from dataclasses import replace

from analysis_core.cost.bounds import KernelBounds, LineCost
from analysis_core.cost.expression import integer
from analysis_core.cost.facts import KernelFacts
from analysis_core.report.model import LaunchReport
from lsp_server.analyse import Answer, Job, analyse
from lsp_server.server import ClientStream, leave, make_server
from lsp_server.worker import Worker
from tests.report.bound_samples import metric, withheld


def bounded(facts: KernelFacts) -> KernelFacts:
    """The facts with bounds on what they have accesses for."""
    worst = max(facts.accesses, key=lambda access: access.worst, default=None)
    places = () if worst is None else (LineCost(worst.span, worst.text, integer(124)),)
    found = (metric("sectors", 40, 32, places, ideal=32), metric("conflicts", 124), metric("steps", 9))
    return replace(
        facts, bounds=KernelBounds({bound.metric: bound for bound in (*found, withheld("divergences"))})
    )  # fmt: skip


def analyse_bounded(job: Job) -> Answer:
    answer = analyse(job)
    kernels = tuple(
        replace(kernel, launches=tuple(LaunchReport(bounded(one.facts), one.findings) for one in kernel.launches))
        for kernel in answer.report.kernels
    )
    return Answer(replace(answer.report, kernels=kernels), answer.settings)


if __name__ == "__main__":
    server = make_server(Worker(analyse_bounded))
    server.start_io(stdout=ClientStream(sys.stdout.buffer))  # type: ignore[arg-type]
    leave(0 if server.said_goodbye else 1)
