"""Translation units: which file to read a header or an included `.cu` through.

Much CUDA code keeps kernels in files that are only ever included: alone they lack the macros, types and launches of
the file that includes them (in Rodinia every third kernel file).  Such a file is read through a *unit*: a file of the same
set that includes it, directly or not, and is not included itself.  Only the text of `#include` lines is looked at here;
whether an include is active is decided when the unit is read, and a file that then turns out not to be part of it is
read alone.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\r\n]+)"', re.MULTILINE)
_LONGEST_CHAIN = 64


def includes_of(path: str, data: bytes) -> tuple[str, ...]:
    """The paths that the quoted includes of a file name, relative to it, normalised."""
    folder = posixpath.dirname(path)
    names = (m[1].decode("utf-8", "surrogateescape") for m in _INCLUDE.finditer(data))
    return tuple(posixpath.normpath(posixpath.join(folder, name.strip())) for name in names)


def units_of(contents: Mapping[str, bytes]) -> dict[str, str]:
    """For each file (by path) that another one includes, the unit to read it through."""
    by_name = {posixpath.normpath(path): path for path in contents}
    includers: dict[str, list[str]] = {}
    for path in sorted(contents):
        for target in includes_of(path, contents[path]):
            if target in by_name and by_name[target] != path:
                includers.setdefault(by_name[target], []).append(path)
    units: dict[str, str] = {}
    for path in includers:
        unit = _top(path, includers)
        if unit != path:
            units[path] = unit
    return units


def _top(path: str, includers: Mapping[str, list[str]]) -> str:
    """Up from includer to includer; a cycle ends at the file where it closes."""
    seen = {path}
    for _ in range(_LONGEST_CHAIN):
        above = [p for p in includers.get(path, ()) if p not in seen]
        if not above:
            break
        # Sources before headers: a header's other includers may be headers that nothing reads.
        path = min(above, key=lambda p: (not p.endswith((".cu", ".cpp", ".cc", ".c")), p))
        seen.add(path)
    return path
