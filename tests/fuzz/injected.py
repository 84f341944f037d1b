"""Memory that runs out at some step of a job, and files that cannot be read, or only half, for a moment: the next answer is that of a fresh process."""

from __future__ import annotations

import random
import sys
from types import FrameType

from analysis_core.incremental.asked import Asked
from analysis_core.incremental.host import Host, whole
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.server.cancelled import answer, fresh, job, steps_of

PATH = "main.cu"
TEXTS = {
    PATH: b'#include "a.h"\n#include "inner/b.h"\n__global__ void k(T *p, int n) { p[STRIDE * threadIdx.x] = twice(n); }\nvoid run(T *p) { k<<<4, 128>>>(p, SIZE); }\n',
    "a.h": b"#pragma once\ntypedef double T;\n#define STRIDE 4\n",
    "inner/b.h": b'#include "../a.h"\n#define SIZE 1 << 20\n__device__ inline T twice(T x) { return 2 * x; }\n',
}


def memory_lost_at(step: int, host: Host, what: object) -> None:
    """Runs the job, with no memory for its `step`-th call of a function of this program."""
    left = step

    def at(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        if event == "call" and str(frame.f_globals.get("__name__", "")).startswith("analysis_core"):
            left -= 1
            if left == 0:
                raise MemoryError

    sys.setprofile(at)
    try:
        answer(host, what)  # type: ignore[arg-type]
    except MemoryError:
        pass  # The worker's process would end; here the host goes on with what it has.
    finally:
        sys.setprofile(None)


def memory_lost(seed: int, count: int) -> None:
    """Jobs of one host that run out of memory at random steps; each next answer is that of a fresh one."""
    draw, host = random.Random(seed), Host()
    total = steps_of(job(32)) // 3
    for number in range(count):
        what, step = job(33 + number), draw.randrange(1, total)
        memory_lost_at(step, host, what)
        assert answer(host, what) == fresh(what), (seed, number, step)


class Failing:
    """Files of which some reads fail.  `lost`: the number of the read that fails, from 1; `half`: half of the bytes come."""

    def __init__(self, lost: int, half: bool) -> None:
        self.below, self.lost, self.half, self.reads = MemoryFiles(TEXTS), lost, half, 0

    def read(self, path: str) -> bytes | None:
        self.reads += 1
        data = self.below.read(path)
        if self.reads != self.lost or data is None:
            return data
        return data[: len(data) // 2] if self.half else None


def reads() -> int:
    """Reads of one analysis."""
    files = Failing(0, False)
    list(Host().analyse(Asked(PATH, files, Settings(), None)))
    return files.reads


def read_lost(lost: int, half: bool) -> None:
    """One read fails, in an analysis; the next of the same host is right."""
    host = Host()
    list(host.analyse(Asked(PATH, Failing(lost, half), Settings(), None)))
    again = list(host.analyse(Asked(PATH, MemoryFiles(TEXTS), Settings(), None)))
    anew = list(Host().analyse(Asked(PATH, MemoryFiles(TEXTS), Settings(), None)))
    assert whole(again[-1]) == whole(anew[-1]), (lost, half)
