"""Latencies in clock cycles: the weights of events along one warp's execution (its *span*).

The figures are the round ones given for V100, A100 and H100 alike (10.1016/j.ultsonch.2023.106546, table 3): 4 for dependent
arithmetic, 20 for shared and 400 for global memory.  They weigh events against each other and predict no running time: caches
answer sooner, and a warp does not wait for what it does not need yet.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis_core.text.records import dataclass

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Latencies:
    """Cycles: `step` of an abstract step, `global_request` and `shared_request` of a warp's request, `replay` of each sector
    or wavefront after a request's first."""

    step: int = 4
    global_request: int = 400
    shared_request: int = 20
    replay: int = 1

    def of_requests(self, cost: Ints, shared: bool) -> Ints:
        """Cycles of requests of so many sectors, or wavefronts where they are `shared`; nothing of those that cost nothing."""
        first = self.shared_request if shared else self.global_request
        return np.asarray((first + self.replay * (cost - 1)) * (cost > 0), dtype=np.int64)


LATENCIES = Latencies()
"""The same for every compute capability that is described."""

SCHEDULERS = 4
"""Warps of a block that can issue at a time on one multiprocessor (its schedulers, since sm_50)."""
