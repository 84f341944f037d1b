"""Whether a repository of git can be read at all, before a library reads it: a stranger may have packed it.

    .git/HEAD -> /dev/zero          a file that never ends; a pipe, at which a reader waits for ever
    a delta that says of itself "64 KB, doubled, doubled, doubled .."

Files of a repository are plain files in it, and what an object takes when it is unpacked is told by the heads of what it is made of.
"""

from __future__ import annotations

import os
import re
import stat
import zlib
from collections.abc import Iterator
from typing import Any

from analysis_core.workspace.disk import MOST_BYTES, read_file, real_path
from analysis_core.workspace.workspace import is_below

_READ = ("refs", "objects", "info", "logs", "reftable")
"""Folders of a repository that are read; those of hooks, of other worktrees and of large files are not."""

_MOST_ENTRIES = 1_000_000
_LONGEST_CHAIN = 5_000
_HEAD = 4_096
"""Bytes, of which any head is a part."""

_OFFSET_DELTA, _NAMED_DELTA = 6, 7


def folders_of(top: str) -> tuple[str, str]:
    """The folder that is a repository's own, and that which it shares with other worktrees."""
    control = os.path.join(top, ".git")
    named = read_file(control, _HEAD)
    if named is not None and named.startswith(b"gitdir: "):
        control = os.path.join(top, os.fsdecode(named[8:].rstrip(b"\r\n")))
    shared = read_file(os.path.join(control, "commondir"), _HEAD)
    return control, control if shared is None else os.path.join(control, os.fsdecode(shared.rstrip(b"\r\n")))


def odd_file(top: str) -> str | None:
    """The path of the first file of a repository that is none, leads out of it or is huge; None where all are as they should be."""
    folders = tuple(dict.fromkeys(map(real_path, folders_of(top))))
    for count, entry in enumerate(entry for folder in folders for entry in _entries(folder)):
        if count > _MOST_ENTRIES or not _is_plain(entry, folders):
            return entry.path
    return None


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    waiting = [folder]
    while waiting:
        above = waiting.pop()
        try:
            with os.scandir(above) as found:
                for entry in found:
                    if not entry.is_dir(follow_symlinks=False):
                        yield entry
                    elif above != folder or entry.name in _READ:
                        waiting.append(entry.path)
        except (OSError, ValueError):
            continue


def _is_plain(entry: os.DirEntry[str], folders: tuple[str, ...]) -> bool:
    if entry.is_file(follow_symlinks=False):
        # A pack may be of any size, and so may a list of what is staged; others are read in one piece.
        kept_whole = entry.name.endswith((".pack", ".idx", ".rev", ".bitmap", ".midx")) or entry.name == "index"
        in_store = any(entry.path.startswith(os.path.join(folder, "objects", "")) for folder in folders)
        return kept_whole or in_store or entry.stat().st_size <= MOST_BYTES
    path = real_path(entry.path)
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return entry.is_symlink()  # It leads nowhere.
    within = any(is_below(path, folder) for folder in folders)
    return within and (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def largest_step(store: Any, number: bytes) -> int:
    """The bytes of the largest of what an object is made of, as their heads say; 0 where nothing is known.  `number`: in hexadecimal digits."""
    digits = number.decode("ascii")
    head = _start(os.path.join(store.path, digits[:2], digits[2:]), 0)
    if head is not None:
        match = re.match(rb"\w+ (\d{1,18})\0", _inflated(head, 64))
        return 0 if match is None else int(match[1])
    return max(_steps(store, bytes.fromhex(digits)), default=0)


def _steps(store: Any, number: bytes) -> Iterator[int]:
    """Of a packed object, and of all that it is a difference from."""
    pack, at = _packed(store, number)
    for _ in range(_LONGEST_CHAIN):
        head = (
            None if pack is None else _start(os.path.join(store.path, "pack", os.path.basename(pack.data.filename)), at)
        )
        if not head:
            return
        kind, size, end = _kind_and_size(head)
        yield size
        if kind == _OFFSET_DELTA:
            back, end = _distance(head, end)
            at -= back
        elif kind == _NAMED_DELTA:
            end += len(number)
            pack, at = _packed(store, head[end - len(number) : end])
        else:
            return
        delta = _inflated(head[end:], 32)
        _, after = _number(delta, 0)
        yield _number(delta, after)[0]
    yield MOST_BYTES + 1


def _packed(store: Any, number: bytes) -> tuple[Any, int]:
    """The pack that holds an object, and where."""
    for pack in store.packs:
        try:
            return pack, pack.index.object_offset(number)
        except KeyError:
            continue
    return None, 0


def _start(path: str, at: int) -> bytes | None:
    try:
        with open(path, "rb") as file:
            file.seek(at)
            return file.read(_HEAD)
    except (OSError, ValueError):
        return None


def _inflated(data: bytes, most: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, most)
    except zlib.error:
        return b""


def _kind_and_size(head: bytes) -> tuple[int, int, int]:
    """Three bits of kind and four of size in the first byte, then seven in each; and where that ends."""
    more, end = _number(head, 1) if head[0] & 0x80 else (0, 1)
    return head[0] >> 4 & 7, more << 4 | head[0] & 15, end


def _number(data: bytes, start: int) -> tuple[int, int]:
    """A number in groups of seven bits, the lowest first; and where it ends."""
    value = 0
    for place, byte in enumerate(data[start : start + 10]):
        value |= (byte & 0x7F) << 7 * place
        if not byte & 0x80:
            return value, start + place + 1
    return value, len(data)


def _distance(data: bytes, start: int) -> tuple[int, int]:
    """How far before a difference its base stands: groups of seven bits, the highest first, each but the last less one."""
    value = -1
    for place, byte in enumerate(data[start : start + 10]):
        value = (value + 1) << 7 | byte & 0x7F
        if not byte & 0x80:
            return value, start + place + 1
    return 0, len(data)
