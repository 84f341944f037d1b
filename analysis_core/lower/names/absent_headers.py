"""What is said of headers that are not there, where a name is declared nowhere: those of the program, which may declare it.

One that leads out of the project is not missing: it is not read, until somebody names its folder."""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.support.derived import derived
from analysis_core.syntax.lex.toolkit_headers import is_of_toolkit
from analysis_core.syntax.read.tree import SyntaxTree

_SHOWN = 3


@derived
def absent_headers(tree: SyntaxTree) -> str:
    """A remark for messages, such as " (missing: a.h, b.h)" or " (not read: ../../c.h)"; "" if all headers were read."""
    read = {path.rpartition("/")[2] for path in set(tree.dependencies).difference(tree.missing)}
    elsewhere = read.union(header[1:-1].strip().rpartition("/")[2] for header in tree.refused)
    absent = dict.fromkeys(path.rpartition("/")[2] for path in tree.missing if not _is_standard(path))
    missing = [name for name in absent if name not in elsewhere]
    return _together(([f"missing: {_listed(tree, missing)}"] if missing else []) + _not_read(tree))


@derived
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


def _is_standard(path: str) -> bool:
    """Headers that declare no constants of a program: those of the toolkit, of C and C++, and of the toolkit's samples."""
    return is_of_toolkit(path) or any(f"/{prefix}" in f"/{path}" for prefix in ("cuda", "helper_"))
