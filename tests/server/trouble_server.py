"""The real server with the real analysis, but for kernels of certain names: `hang` waits for ever, `loop` computes
for ever, `die` ends the process, `large` takes 400 MB of memory and keeps them, `slow` takes two seconds."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from typing import Any

from analysis_core.incremental.host import Host
from analysis_core.support.interrupts import Interrupts
from lsp_server.analyse import AtKernel, Job, answered
from lsp_server.answers import Answer
from lsp_server.worker import Worker
from lsp_server.worker_process import Alive, At, Partly, Send


def make_troubled() -> Callable[[Job, Send, Interrupts], Answer]:
    """One host, as in the real worker; trouble comes where a kernel is about to be analysed."""
    host = Host()

    def work(job: Job, send: Send, interrupts: Interrupts) -> Answer:
        def sent(what: Partly | At | Alive) -> None:
            send(what)
            if isinstance(what, At) and isinstance(what.what, AtKernel):
                trouble(what.what.name, interrupts)

        return answered(host, job, sent, interrupts)

    return work


def trouble(kernel: str, interrupts: Interrupts) -> None:
    """What the kernel's name asks for."""
    hold = bytearray(400_000_000 if kernel == "large" else 0)
    if kernel == "die":
        os._exit(9)
    with interrupts.pure():
        while kernel == "loop":
            pass
        time.sleep({"hang": 3600, "large": 3600, "slow": 2}.get(kernel, 0))
    del hold


class Knowing(Worker[Job, Answer]):
    """Does not wait long for what takes for ever, and patiently for all else: no load of the machine is taken for a hang."""

    hangs = loops = False

    async def _attempt(self, job: Job, partly: Callable[[Answer], None], at: Callable[[object], None]) -> Answer:
        def noted(what: object) -> None:
            self.hangs = isinstance(what, AtKernel) and what.name == "hang"
            self.loops = isinstance(what, AtKernel) and what.name == "loop"
            at(what)

        self.hangs = self.loops = False
        return await super()._attempt(job, partly, noted)

    async def _message(self, running: Any, seconds: float, step: float = math.inf) -> Any:
        return await super()._message(running, 0.1 if self.hangs else seconds, 0.2 if self.loops else math.inf)


if __name__ == "__main__":
    from lsp_server.server import make_server, serve  # What the worker does not need.
    from tests.server import trouble_server  # by its name: what the worker is to load

    serve(make_server(Knowing(trouble_server.make_troubled, 600, most_bytes=400_000_000)))
