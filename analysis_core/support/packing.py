"""Values with their places apart: how a result survives that its text moves.

A result (the IR of a kernel, its facts, its report) is a tree of frozen values with spans in them.  Packed, it is a
string of bytes in which each span is a number, beside the list of spans in the order in which they are met.  Then

- moving a result to where its text stands now is unpacking it with other spans;
- two results that differ in nothing but their places have equal bytes, so a digest of the bytes is a fingerprint of
  meaning.  Into the digest go the spans' ranks too: which of them are equal, hold or precede each other, since the analysis
  compares places.  How far apart they are does not count;
- what is kept between edits is bytes: it can be counted, dropped, sent to another process, and changed by nobody.

Bytes are made by `pickle`, of our own values, in our own processes; nothing that comes from a user's file is unpickled.
Equal values may have different bytes (if one holds a text twice and the other two equal texts); then work is done again.
"""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

_WORD = re.compile(rb"\w")


@dataclass(frozen=True, slots=True)
class Packed:
    """`data` speaks of places as indices into `spans`."""

    data: bytes
    spans: tuple[Span, ...]

    @property
    def size(self) -> int:
        """Bytes that it takes, about: a span is a small object."""
        return len(self.data) + 100 * len(self.spans)


def _reducer_of(kind: type) -> Callable[[Any], Any]:
    """How values of one of our frozen classes are written: as a call of the class; values of other classes as they ask for.

    What `dataclasses` does by itself asks for the fields of the class for every value, which takes ten times as long."""
    if issubclass(kind, type):
        return attrgetter("__qualname__")  # A class is written as its name.
    names: tuple[str, ...] = getattr(kind, "__match_args__", ())
    if len(getattr(kind, "__dataclass_fields__", " " * 99)) != len(names):
        return _as_usual  # Not one of ours, or with fields that are not given in order.
    if not names:
        return lambda value: (kind, ())
    values = attrgetter(*names)
    if len(names) == 1:
        return lambda value: (kind, (values(value),))
    return lambda value: (kind, values(value))


def _as_usual(value: Any) -> Any:
    return value.__reduce_ex__(5)


class Reducers(dict[type, Callable[[Any], Any]]):
    """By type, the function that takes values of it apart for packing; found at the first use."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        found = self[kind] = _reducer_of(kind)
        return found


def _place(number: int) -> Span:
    """How a span is written: as a call of this with its number, which whoever reads answers from the list of spans."""
    raise pickle.UnpicklingError(f"place {number} without its list")


class _Packer(pickle.Pickler):
    """Spans are written by a reducer, as values of our classes are, not by `persistent_id`: that is asked for every value, down to
    each number and name, of which a long kernel has 200,000, and reducers only for values that the pickler does not know."""

    def __init__(self, stream: io.BytesIO, beside: Mapping[type, Callable[[Any], Any]]) -> None:
        super().__init__(stream, protocol=5)
        self.dispatch_table = Reducers()
        self.dispatch_table[Span] = self._reduced
        self.dispatch_table.update(beside)
        self.numbers: dict[Span, int] = {}

    def _reduced(self, span: Span) -> tuple[Callable[[int], Span], tuple[int]]:
        return _place, (self.numbers.setdefault(span, len(self.numbers)),)


class _Unpacker(pickle.Unpickler):
    def __init__(self, stream: io.BytesIO, spans: Sequence[Span], beside: Mapping[str, Callable[..., Any]]) -> None:
        super().__init__(stream)
        self._spans, self._beside = spans, beside

    def find_class(self, module: str, name: str) -> Any:
        """A class, or what gives the span of a number."""
        if name == _place.__name__ and module == __name__:
            return self._spans.__getitem__
        if name in self._beside:
            return self._beside[name]
        return super().find_class(module, name)


def pack(value: object, beside: Mapping[type, Callable[[Any], Any]] = MappingProxyType({})) -> Packed:
    """The value in bytes, its places apart.  `beside`: how values of some types are taken apart, as `Reducers` say of others."""
    stream = io.BytesIO()
    packer = _Packer(stream, beside)
    packer.dump(value)
    return Packed(stream.getvalue(), tuple(packer.numbers))


def unpack(packed: Packed, beside: Mapping[str, Callable[..., Any]] = MappingProxyType({})) -> Any:
    """The value at the packed places.  `beside`: what stands for functions of these names, by which values were taken apart."""
    return _Unpacker(io.BytesIO(packed.data), packed.spans, beside).load()


def mentions(packed: Packed, word: str) -> bool:
    """Whether a text in what was packed holds a word of ASCII; in doubt it does."""
    data, sought = packed.data, word.encode("ascii")
    at = data.find(sought)
    while at >= 0:
        before, after = data[max(0, at - 1) : at], data[at + len(sought) : at + len(sought) + 1]
        # The letter before may be the length of a text that begins here.
        begins = not _WORD.fullmatch(before) or data[at - 2 : at - 1] == pickle.SHORT_BINUNICODE
        if begins and not _WORD.fullmatch(after):
            return True
        at = data.find(sought, at + 1)
    return False


def fingerprint(packed: Packed, *beside: object) -> bytes:
    """A digest of the meaning of what was packed: equal ones mean equal values but for their places.  `beside`: values with
    a faithful `repr` on which the meaning rests as well."""
    digest = blake2b(packed.data, digest_size=16)
    digest.update(repr(order_of(packed.spans)).encode())
    digest.update(repr(beside).encode("utf-8", "surrogatepass"))
    return digest.digest()


def order_of(spans: Iterable[Span]) -> list[tuple[int, int, int]]:
    """The spans by the numbers of their files and the ranks of their ends: all that matters about places except
    distances."""
    listed = list(spans)
    files: dict[FileId, list[int]] = {}
    for span in listed:
        files.setdefault(span.file, []).extend((span.start, span.end))
    ranks = {file: {at: rank for rank, at in enumerate(sorted(set(offsets)))} for file, offsets in files.items()}
    numbers = {file: number for number, file in enumerate(files)}
    return [(numbers[s.file], ranks[s.file][s.start], ranks[s.file][s.end]) for s in listed]


def replaced(wanted: Sequence[Span], old: Sequence[Span], new: Sequence[Span]) -> tuple[Span, ...] | None:
    """The spans `wanted`, whose ends are ends of `old` spans, with the corresponding ends of the `new` spans. None if
    an end belongs to no old span."""
    known = dict(zip(old, new, strict=True))
    if all(span in known for span in wanted):
        return tuple(known[span] for span in wanted)
    ends: dict[tuple[FileId, int], tuple[FileId, int]] = {}
    for before, after in known.items():
        ends[before.file, before.start] = after.file, after.start
        ends[before.file, before.end] = after.file, after.end
    places: list[Span] = []
    for span in wanted:
        start, end = ends.get((span.file, span.start)), ends.get((span.file, span.end))
        if start is None or end is None or start[0] != end[0]:
            return None
        places.append(Span(start[0], start[1], end[1]))
    return tuple(places)
