"""Translation units: which file to read a header or an included `.cu` through.

Much CUDA code keeps kernels in files that are only ever included: alone they lack the macros, types and launches of
the file that includes them (in Rodinia every third kernel file).  Such a file is read through *units*: files of the same
set that include it, directly or not, and are not included themselves; the launches of all of them count (program/united.py).  Only the text of `#include` lines is looked at here;
whether an include is active is decided when the unit is read, and a file that then turns out not to be part of it is
read alone.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from analysis_core.support.files import SOURCES

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\r\n]+)"|<([^>\r\n]+)>)', re.MULTILINE)
_LONGEST_CHAIN = 64


def spelled_includes(data: bytes) -> Iterator[str]:
    """The headers that a file includes, spelled with their quotes; those too that conditionals leave out."""
    for match in _INCLUDE.finditer(data):
        name = (match[1] or match[2]).decode("utf-8", "surrogateescape").strip()
        yield f'"{name}"' if match[1] else f"<{name}>"


def includes_of(path: str, data: bytes, include_paths: Sequence[str] = ()) -> tuple[str, ...]:
    """The paths that the includes of a file may name, normalised: quoted ones relative to it, all of them in `include_paths`."""
    folder = posixpath.dirname(path)
    found: dict[str, None] = {}
    for header in spelled_includes(data):
        folders = (folder, *include_paths) if header[0] == '"' else include_paths
        found.update(dict.fromkeys(posixpath.normpath(posixpath.join(place, header[1:-1])) for place in folders))
    return tuple(found)


MOST_UNITS = 4
"""Units that a file is read through: each costs the time of reading it."""


def units_of(contents: Mapping[str, bytes], include_paths: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """For each file (by path) that another one includes, the units to read it through."""
    return units_from({path: includes_of(path, data, include_paths) for path, data in contents.items()})


def units_from(includes: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The units to read each included file through, from what each file includes."""
    includers = includers_of(includes)
    return {path: units for path in includers if (units := tops_of(path, includers))}


def includers_of(includes: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """For each file those that include it, in the order of their names."""
    by_name = {posixpath.normpath(path): path for path in includes}
    includers: dict[str, list[str]] = {}
    for path in sorted(includes):
        for target in includes[path]:
            if target in by_name and by_name[target] != path:
                includers.setdefault(by_name[target], []).append(path)
    return includers


def tops_of(path: str, includers: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The files at the top of the includes that lead to a file: sources before headers, since headers may be included
    by nothing that is read. If all are in a cycle, the file at which it closes."""
    seen, waiting, tops = {path}, [path], list[str]()
    if path not in includers:
        return ()
    while waiting:
        here = waiting.pop(0)
        above = includers.get(here, ())
        if not above and here != path:
            tops.append(here)
        fresh = [p for p in dict.fromkeys(above) if p not in seen]
        seen.update(fresh)
        waiting += fresh
    if not tops:
        tops = [_last_of_cycle(path, includers)]
    tops.sort(key=lambda p: (not p.endswith(SOURCES), p))
    return tuple(top for top in tops[:MOST_UNITS] if top != path)


def _last_of_cycle(path: str, includers: Mapping[str, Sequence[str]]) -> str:
    seen = {path}
    for _ in range(_LONGEST_CHAIN):
        above = [p for p in includers.get(path, ()) if p not in seen]
        if not above:
            break
        path = min(above, key=lambda p: (not p.endswith(SOURCES), p))
        seen.add(path)
    return path
