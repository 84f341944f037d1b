"""Where modules are loaded from: the interpreter's own folders and the folder of this package, never the working folder.

Whoever opens somebody else's project stands in a folder that others have written, and Python looks there first: for `python -m NAME`,
for `python -c`, for an empty entry of PYTHONPATH.  A harmless `signal.py` would be run in place of Python's.  So the entry
points begin with `keep_out_working_folder`, and other processes are started isolated (`-I`) with this file as their program
(`workspace/children.py`).

As a program it imports nothing but what `-I` gives it, until it has been told where the rest is.
"""

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""The folder that holds this package: of a checkout, or where packages are installed."""

OWN = {"analysis_core": ROOT, "lsp_server": ROOT}


class OwnPackages:
    """Finds some packages where they are known to lie, before anything else is asked."""

    def __init__(self, folders: dict[str, str]) -> None:
        self._folders = folders

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        folder = self._folders.get(name) if path is None else None
        return None if folder is None else PathFinder.find_spec(name, [folder])


def keep_out_working_folder() -> None:
    """From here on nothing is imported from the working folder, unless its full path is where Python keeps its packages."""
    sys.meta_path.insert(0, OwnPackages(OWN))
    sys.path[:] = trusted(sys.path)


def trusted(path: "list[str]") -> "list[str]":
    """The entries of a module path that do not depend on where the process happens to stand."""
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:
        here = None
    return [entry for entry in path if os.path.isabs(entry) and os.path.realpath(entry) != here]


def _child() -> None:
    """The program of a process that `workspace/children.py` has started: `isolation.py warpcost-worker HANDLE`."""
    from importlib import import_module
    from multiprocessing import connection

    pipe = getattr(connection, "PipeConnection", connection.Connection)(int(sys.argv[2]))  # the first on Windows alone
    orders = pipe.recv()
    sys.meta_path.insert(0, OwnPackages(orders["packages"]))
    sys.path += [entry for entry in orders["path"] if entry not in sys.path]
    main = getattr(import_module(orders["module"]), orders["function"])
    if orders["folder"] is not None:
        os.chdir(orders["folder"])
    main(pipe, *pipe.recv())


if __name__ == "__main__":
    _child()
