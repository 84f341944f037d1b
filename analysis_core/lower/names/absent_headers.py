"""What is said of headers that are not there, where a name is declared nowhere: those of the program, which may declare it.

One that leads out of the project is not missing: it is not read, until somebody names its folder."""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.syntax.read.tree import SyntaxTree

_STANDARD_HEADERS = frozenset(
    [
        "assert",
        "math",
        "stdio",
        "stdlib",
        "string",
        "time",
        "limits",
        "float",
        "ctype",
        "stdint",
        "stdbool",
        "stddef",
        "errno",
        "signal",
        "unistd",
        "omp",
        "device_launch_parameters",
        "vector_types",
        "vector_functions",
        "mma",
        "curand_kernel",
        "math_constants",
    ]
)
_STANDARD_PREFIXES = ("cuda", "cooperative_groups", "sys/", "thrust/", "cub/", "helper_")
_SHOWN = 3


def absent_headers(tree: SyntaxTree) -> str:
    """A remark for messages, such as " (missing: a.h, b.h)" or " (not read: ../../c.h)"; "" if all headers were read."""
    read = {path.rpartition("/")[2] for path in set(tree.dependencies).difference(tree.missing)}
    elsewhere = read.union(header[1:-1].strip().rpartition("/")[2] for header in tree.refused)
    absent = dict.fromkeys(path.rpartition("/")[2] for path in tree.missing if not _is_standard(path))
    missing = [name for name in absent if name not in elsewhere]
    return _together(([f"missing: {_listed(tree, missing)}"] if missing else []) + _not_read(tree))


def headers_not_read(tree: SyntaxTree) -> str:
    """A remark as from `absent_headers`, about headers that may exist but are not read, or not to their ends."""
    return _together(_not_read(tree))


def _not_read(tree: SyntaxTree) -> list[str]:
    said = []
    if refused := [header[1:-1].strip() for header in tree.refused]:
        lead = "leads" if len(refused) == 1 else "lead"
        said.append(
            f"not read: {_listed(tree, refused)}, which {lead} out of the project; an include path there allows it"
        )
    if tree.unread:
        said.append(f"not all is read: {_listed(tree, tree.unread)}")
    return said


def _together(said: list[str]) -> str:
    return f" ({'; '.join(said)})" if said else ""


def _listed(tree: SyntaxTree, names: Sequence[str]) -> str:
    return ", ".join(map(tree.hidden.shown, names[:_SHOWN])) + (", .." if len(names) > _SHOWN else "")


def _is_standard(header: str) -> bool:
    """Headers of the toolkit and of C and C++, which declare no constants of a program."""
    file = header.rpartition("/")[2]
    if "." not in file:
        return True
    return file.removesuffix(".h") in _STANDARD_HEADERS or any(f"/{p}" in f"/{header}" for p in _STANDARD_PREFIXES)
