"""Jobs that are given up at a chosen moment, as by a signal: at an import, or at some step.

`python -m tests.server.cancelled imports K..` gives up a job of a process that has loaded as little as possible, at its K-th import (all of them
without K), each in a process of its own; `python -m tests.server.cancelled count` says how many there are.  The next answer must be that
of a process where nothing was given up."""

from __future__ import annotations

import os
import random
import re
import signal
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import FrameType

from analysis_core.incremental.host import Host
from analysis_core.support.interrupts import Cancelled, Interrupts
from lsp_server.analyse import Job, answered
from lsp_server.answers import Answer, Parts
from lsp_server.options import EditorOptions
from lsp_server.worker_process import At, Partly

# Tiles with conflicts, whose fix is tried; rounds without a closed form, for the LP solver; a guard, residues, a name that is not known.
TEXT = """
__global__ void turn(float *a, const float *b, int n) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = b[threadIdx.y * n + threadIdx.x];
    __syncthreads();
    a[threadIdx.y * n + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void hops(float *a, int n) {
    for (int i = threadIdx.x; i < n; i += 1 + (i & 1)) a[STRIDE * i] = 1;
}
__global__ void rest(int *a, int n) {
    if ((threadIdx.x + n) % 3 == 0) for (int i = n; i > 0; i /= 2) a[i * 8] += OTHER(threadIdx.x % 5);
}
void run(float *a, float *b, int *c, int n) {
    turn<<<n, dim3(32, 32)>>>(a, b, n); hops<<<n, 64>>>(a, n); rest<<<9, 96>>>(c, n);
}
"""


def job(stride: int, name: str = "a.cu") -> Job:
    text = TEXT.replace("STRIDE", str(stride)).encode()
    tile = text.index(b"tile[threadIdx.x][threadIdx.y]")
    fix = frozenset({("WC201", tile, tile + len(b"tile[threadIdx.x][threadIdx.y]"))})
    return Job(name, {name: text}, EditorOptions(), fix=fix)


def answer(host: Host, what: Job, interrupts: Interrupts | None = None) -> str:
    """The whole answer, spelled out."""
    parts = Parts()

    def send(message: Partly | At) -> None:
        if isinstance(message, Partly) and isinstance(message.answer, Answer):
            parts.take(message.answer, frozenset())

    told = answered(host, what, send, interrupts or Interrupts())
    taken = parts.take(told, frozenset())
    return re.sub(r"seconds=[0-9.e-]+", "", repr((taken.report, parts.whole(taken))))


def fresh(what: Job) -> str:
    """What is answered where nothing was before."""
    return answer(Host(), what)


def given_up_at(step: int, host: Host, what: Job) -> bool:
    """Gives the job up at its `step`-th call or return; whether it was."""
    interrupts, left = Interrupts(), step

    def at(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        left -= 1
        if left <= 0:  # And from there on, as signals come again and again.
            interrupts.ask()

    sys.setprofile(at)
    try:
        answer(host, what, interrupts)
    except Cancelled:
        return True
    finally:
        sys.setprofile(None)
    return False


def steps_of(what: Job) -> int:
    """Calls and returns of the job."""
    count = 0

    def at(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    host = Host()
    sys.setprofile(at)
    try:
        answer(host, what)
    finally:
        sys.setprofile(None)
    return count


class _Imports:
    """Counts what is looked for, and calls somebody at the `chosen`-th."""

    def __init__(self, chosen: int, call: Callable[[], None]) -> None:
        self.names: list[str] = []
        self._chosen, self._call = chosen, call

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        self.names.append(name)
        if len(self.names) == self._chosen:
            self._call()
        return None


def imports() -> list[str]:
    """What a job loads in a process that has loaded as little as possible."""
    seen = _Imports(0, lambda: None)
    sys.meta_path.insert(0, seen)  # type: ignore[arg-type]
    fresh(job(32))
    return seen.names


def check_import(chosen: int) -> bool:
    """Gives a job up at an import, and while that goes on; whether the next answer is right."""
    interrupts, host = Interrupts(), Host()

    def call() -> None:
        interrupts.ask()
        signal.signal(signal.SIGALRM, lambda number, frame: interrupts.ask())
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)

    seen = _Imports(chosen, call)
    sys.meta_path.insert(0, seen)  # type: ignore[arg-type]
    given_up = False
    try:
        answer(host, job(32), interrupts)
    except Cancelled:
        given_up = True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.meta_path.remove(seen)  # type: ignore[arg-type]
    assert len(seen.names) >= chosen
    print(f"{chosen} {seen.names[chosen - 1]}: {'given up' if given_up else 'done'}", flush=True)
    return answer(host, job(32)) == fresh(job(32))


def apart(work: Callable[[], bool]) -> bool:
    """In a process of its own, as this one is now."""
    pid = os.fork()
    if pid == 0:
        right = False
        try:
            right = work()
        finally:
            os._exit(0 if right else 1)
    return os.waitpid(pid, 0)[1] == 0


def main(arguments: list[str]) -> int:
    names: list[str] = []
    if arguments[0] == "count" or len(arguments) == 1:
        reader, writer = os.pipe()
        apart(lambda: os.write(writer, " ".join(imports()).encode()) > 0)
        names = os.read(reader, 1 << 20).decode().split()
    if arguments[0] == "count":
        print(*names)
        return 0
    chosen = [int(word) for word in arguments[1:]] or list(range(1, len(names) + 1))
    wrong = [number for number in chosen if not apart(lambda number=number: check_import(number))]  # type: ignore[misc]
    print("wrong after:", *wrong)
    return len(wrong)


def steps(seed: int, count: int) -> None:
    """Gives up jobs of one process at random steps; each next answer is that of a fresh one."""
    draw, host = random.Random(seed), Host()
    total = steps_of(job(32))
    for number in range(count):
        what, step = job(33 + number), draw.randrange(1, total)
        given_up_at(step, host, what)
        assert answer(host, what) == fresh(what), (seed, number, step)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
