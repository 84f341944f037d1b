"""Counters of the profiler that follow from addresses, and what each of them counts here.

Sources: Nsight Compute, Kernel Profiling Guide, "Metrics Reference" (names, units, what an instruction-level metric assumes) and "Memory Tables"
(requests, wavefronts, sectors); Nsight Compute CLI, "nvprof Metric Comparison" (`gld_transactions`, `shared_load_transactions` and their relatives by
the names below).  The profiler's pages show some of them under a title, which exports have as the name of a column.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from analysis_core.text.records import dataclass


class Quantity(Enum):
    """What a counter counts: requests of warps, what they move or take, what the ideal would, and the difference."""

    REQUESTS = "requests"
    COST = "cost"
    IDEAL = "ideal"
    EXCESS = "excess"


class Operation(Enum):
    """Which requests a counter is about."""

    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Counter:
    """`shared`: of shared memory (wavefronts), else of global memory (sectors).  `title`: the column of the source page, "" where there is none.
    `behind`: counted behind a cache, so that no more than the figure is to be expected."""

    name: str
    shared: bool
    quantity: Quantity
    operation: Operation = Operation.ALL
    title: str = ""
    behind: bool = False

    @property
    def unit(self) -> str:
        """ "sectors", "wavefronts", "requests"."""
        if self.quantity is Quantity.REQUESTS:
            return "requests"
        return "wavefronts" if self.shared else "sectors"


_R, _C, _I, _X = Quantity
_LD, _ST, _AT, _ALL = Operation

COUNTERS: tuple[Counter, ...] = (
    Counter("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", False, _R, _LD),
    Counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", False, _C, _LD),
    Counter("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", False, _R, _ST),
    Counter("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", False, _C, _ST),
    Counter("memory_l2_theoretical_sectors_global", False, _C, _ALL, "L2 Theoretical Sectors Global"),
    Counter("memory_l2_theoretical_sectors_global_ideal", False, _I, _ALL, "L2 Theoretical Sectors Global Ideal"),
    Counter(
        "derived__memory_l2_theoretical_sectors_global_excessive", False, _X, _ALL, "L2 Theoretical Sectors Global Excessive"
    ),
    Counter("lts__t_sectors_srcunit_tex_op_read.sum", False, _C, _LD, behind=True),
    Counter("smsp__inst_executed_op_shared_ld.sum", True, _R, _LD),
    Counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", True, _C, _LD),
    Counter("smsp__inst_executed_op_shared_st.sum", True, _R, _ST),
    Counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", True, _C, _ST),
    Counter("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", True, _C),
    Counter("memory_l1_wavefronts_shared", True, _C, _ALL, "L1 Wavefronts Shared"),
    Counter("memory_l1_wavefronts_shared_ideal", True, _I, _ALL, "L1 Wavefronts Shared Ideal"),
    Counter("derived__memory_l1_wavefronts_shared_excessive", True, _X, _ALL, "L1 Wavefronts Shared Excessive"),
)  # fmt: skip

BY_NAME: Mapping[str, Counter] = {
    **{one.name: one for one in COUNTERS},
    **{one.title: one for one in COUNTERS if one.title},
    **{f"sass__{one.name}": one for one in COUNTERS if one.title},
}
"""Counters by every name that an export has for them."""

ATOMIC: Mapping[bool, str] = {
    True: "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    False: "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
}
"""What atomics are counted in, of shared memory and of global memory, unless their result is unused (`op_red`); compilers may make loops of
them, so that no figure is held against these."""


def of(shared: bool, operation: Operation) -> str:
    """The counter of what requests of one kind cost."""
    if operation is Operation.ATOMIC:
        return ATOMIC[shared]
    wanted = shared, Quantity.COST, operation
    return next(one.name for one in COUNTERS if (one.shared, one.quantity, one.operation) == wanted and not one.behind)
