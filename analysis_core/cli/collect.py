"""Which files a command is about: those that are named, and the CUDA code in folders that are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from analysis_core.workspace.disk import HEADERS, MOST_BYTES, STDIN, SUFFIXES, DiskFiles, Problem, defines_kernel
from analysis_core.workspace.left_out import Globs, LeftOut
from analysis_core.workspace.workspace import WorkspaceFiles, workspace_of

_SHOWN = 4


def collect(paths: Sequence[str], exclude: Sequence[Globs] = ()) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """The files meant by `paths`, each once, in order, under one spelling; directories are searched for CUDA sources, and for headers
    with kernels, in sorted order.

    `exclude` does not apply to files named as such."""
    found: dict[str, None] = {}
    problems: list[Problem] = []
    for path in paths:
        if path == STDIN or os.path.isfile(path):
            trouble = None if path == STDIN else _trouble(path)
            if trouble is None:
                found[one_spelling(path)] = None
            else:
                problems.append(Problem(f"cannot read {path}: {trouble}"))
        elif os.path.isdir(path):
            before = len(problems)
            inside = list(_search(one_spelling(path), exclude, problems))
            found.update(dict.fromkeys(inside))
            if not inside and len(problems) == before:
                problems.append(Problem(f"no .cu or .cuh file, nor a header with a kernel, in {path}", fatal=False))
        else:
            what = "no such file or directory" if not os.path.lexists(path) else "not a file or directory"
            problems.append(Problem(f"cannot read {path or repr(path)}: {what}"))
    return tuple(found), tuple(problems)


def _trouble(path: str) -> str | None:
    """Why a file that is named is not read."""
    if not os.access(path, os.R_OK):
        return "permission denied"
    return f"it has more than {MOST_BYTES >> 20} MB" if os.path.getsize(path) > MOST_BYTES else None


def one_spelling(path: str) -> str:
    """A path without needless `.` and `..`, so that results do not depend on how it was written."""
    return path if path == STDIN else os.path.normpath(path)


def _search(top: str, exclude: Sequence[Globs], problems: list[Problem]) -> Iterator[str]:
    def failed(error: OSError) -> None:
        problems.append(Problem(f"cannot read {error.filename}: {error.strerror or error}"))

    left_out, disk = LeftOut(top, exclude), WorkspaceFiles((top, workspace_of(top)))
    for folder, folders, files in os.walk(top, onerror=failed):
        folders[:] = sorted(name for name in folders if not left_out.folder(os.path.join(folder, name)))
        for name in sorted(files):
            path = os.path.normpath(os.path.join(folder, name))
            if name.endswith((*SUFFIXES, *HEADERS)) and not left_out.file(path):
                if not name.endswith(SUFFIXES):
                    yield from (path,) if _has_kernel(path, disk) else ()
                elif not os.path.isfile(path) or not os.access(path, os.R_OK):
                    problems.append(Problem(f"cannot read {path}: not a readable file"))
                elif not disk.holds(path):
                    problems.append(
                        Problem(f"not read: {path}, a link that leads out of the project (name it to check it)")
                    )
                else:
                    yield path
    if left_out.folders:
        problems.append(Problem(f"not searched: {_listed(left_out.folders)} (name a folder to check it)", fatal=False))


def _listed(folders: Sequence[str]) -> str:
    """The first few, and how many more."""
    shown = ", ".join(os.path.normpath(folder) for folder in folders[:_SHOWN])
    return f"{shown} and {len(folders) - _SHOWN} more" if len(folders) > _SHOWN else shown


def _has_kernel(path: str, disk: DiskFiles) -> bool:
    """Whether a header is CUDA code; one that cannot be read is not for us to tell."""
    data = disk.read(path)
    return data is not None and defines_kernel(data)
