"""What worker processes do in the tests of them: a module apart, since a process loads the whole module of its work."""

from __future__ import annotations

import os
import signal

from analysis_core.cli.work import Task
from analysis_core.support.store import Store
from analysis_core.syntax.edit.items import ITEMS
from analysis_core.syntax.parse import parse


def fragile(task: Task, store: Store) -> str:
    """Work that dies with its process on some files."""
    if "fatal" in task.path:
        os.kill(os.getpid(), signal.SIGKILL)
    return task.path


def faulty(task: Task, store: Store) -> str:
    """Work with an error of ours in it."""
    return str(len(task.path) // (len(task.path) - len("bad.cu")))


def remembering(task: Task, store: Store) -> int:
    """How many items were not read again, of all files that this worker has had."""
    parse(task.path, task.files(), task.settings, store=store)
    return store.count(ITEMS).hits
