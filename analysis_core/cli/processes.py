"""Work shared out among processes, with results in the order of the tasks.

A worker is a process of its own (`children`) at the other end of a pipe: one task goes in, its result comes out.  Between tasks it keeps what it has read (`Store`), which is its own, so no result depends on who
does what.  Workers end when their pipe does, hence with this process, however it ends.

If a worker dies at a task (out of memory, a crash in a library), the task is tried once more, after all others and alone.
"""

from __future__ import annotations

import signal
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar, cast

from analysis_core.support.store import Store
from analysis_core.text.records import dataclass
from analysis_core.workspace.children import Child
from analysis_core.workspace.memory import Leftovers, collect_rarely, resident_bytes

T = TypeVar("T")
R = TypeVar("R")


_LARGEST = 384 << 20
"""Bytes of a worker between two tasks from which on another one takes its place.  Python gives memory back in large pieces only, so a worker that had
a large file keeps most of what it took, and the next large file would come on top."""


class WorkFailed(Exception):
    """The work itself raised, which is a bug of ours; its traceback is a note."""


@dataclass(frozen=True, slots=True)
class _Failure:
    text: str
    trace: str


@dataclass(slots=True)
class _Worker:
    """`task`: the index of the task it is at, None while it waits for one."""

    child: Child
    task: int | None = None

    def give(self, index: int, task: object) -> None:
        """Sends a task.  That the process has died is seen where its answer is awaited."""
        self.task = index
        with suppress(ConnectionError):
            self.child.pipe.send(task)


def in_processes(tasks: Sequence[T], work: Callable[[T, Store], R], jobs: int, lost: Callable[[T], R]) -> Iterator[R]:
    """`work` on every task, in their order; `lost` is the result of a task at which a process died twice."""
    workers: list[_Worker] = []
    first, again = deque(range(len(tasks))), deque[int]()  # what is to be tried for the first, and a second time
    retried: set[int] = set()
    done: dict[int, R] = {}
    shown = 0
    try:
        while shown < len(tasks):
            if first:
                _hand_out(first, tasks, work, jobs, workers)
            elif all(worker.task is None for worker in workers):
                while workers:  # what they keep is memory that may be wanted
                    workers.pop().child.end()
                retried.add(again[0])
                _hand_out(deque([again.popleft()]), tasks, work, 1, workers)
            for worker in _answering(workers):
                index = cast(int, worker.task)
                try:
                    done[index] = _answer(worker)
                    if resident_bytes(worker.child.pid) > _LARGEST:
                        workers.remove(worker)
                        worker.child.end()
                except (EOFError, ConnectionError):
                    workers.remove(worker)
                    worker.child.end()
                    if index in retried:
                        done[index] = lost(tasks[index])
                    else:
                        again.append(index)
            while shown in done:
                yield done.pop(shown)
                shown += 1
    finally:
        for worker in workers:
            worker.child.end()


def _hand_out(
    indices: deque[int],
    tasks: Sequence[T],
    work: Callable[[T, Store], R],
    jobs: int,
    workers: list[_Worker],
) -> None:
    """Gives everyone a task who has none, and starts workers up to the number of jobs, as long as there are tasks."""
    idle = [worker for worker in workers if worker.task is None]
    while indices and (idle or len(workers) < jobs):
        if not idle:
            idle.append(_started(work))
            workers.append(idle[0])
        index = indices.popleft()
        idle.pop().give(index, tasks[index])


def _started(work: Callable[[T, Store], R]) -> _Worker:
    with _without_interrupts():
        return _Worker(Child(_serve, (work,), work))


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Holds Ctrl-C back, also from processes that are started meanwhile: they must not die of it while they import."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _answering(workers: Sequence[_Worker]) -> list[_Worker]:
    """Waits until some of the busy ones have answered or died."""
    busy = {worker.child.pipe: worker for worker in workers if worker.task is not None}
    return [busy[cast(Connection, pipe)] for pipe in wait(list(busy))]


def _answer(worker: _Worker) -> Any:
    """What the worker has made of its task.  Raises `EOFError` or `ConnectionError` if its process died."""
    answer = worker.child.pipe.recv()
    worker.task = None
    if isinstance(answer, _Failure):
        error = WorkFailed(answer.text)
        error.add_note(answer.trace)
        raise error
    return answer


def _serve(pipe: Connection, work: Callable[[T, Store], R]) -> None:
    """A worker's main function: tasks in, answers out, until the pipe ends."""
    collect_rarely(file_after_file=True)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Only the parent answers to Ctrl-C.
    store, leftovers = Store(), Leftovers()
    while True:
        try:
            task = pipe.recv()
        except (EOFError, ConnectionError):
            return
        answer: object
        try:
            answer = work(task, store)
        except Exception as error:
            answer = _Failure(f"{type(error).__name__}: {error}", traceback.format_exc())
        try:
            pipe.send(answer)
        except ConnectionError:
            return
        del task, answer
        leftovers.freed()
