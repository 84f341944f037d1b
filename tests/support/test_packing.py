"""Values with their places apart: at other places they are the same bytes."""

from __future__ import annotations

import pickle
from dataclasses import dataclass

import pytest

from analysis_core.support.packing import Packed, fingerprint, pack, unpack
from analysis_core.text.span import FileId, Span


@dataclass(frozen=True, slots=True)
class Thing:
    span: Span
    inner: tuple[Span | int | None, ...]


def thing(shift: int, order: int = 1) -> Thing:
    """Three places, one of them twice."""
    first, second = (
        Span(FileId("a.cu"), shift, shift + 4),
        Span(FileId("a.cu"), shift + 9 * order, shift + 9 * order + 1),
    )
    return Thing(first, (second, 7, None, first, Span(FileId("a.h"), 0, 3)))


def test_what_moved_has_the_same_bytes() -> None:
    here, there = pack(thing(20)), pack(thing(50))
    assert here.data == there.data and len(here.spans) == 3
    assert unpack(here) == thing(20) and unpack(Packed(here.data, there.spans)) == thing(50)
    assert fingerprint(here) == fingerprint(there) != fingerprint(pack(thing(20, -1)))


def test_places_need_their_list() -> None:
    with pytest.raises(pickle.UnpicklingError):
        pickle.loads(pack(thing(0)).data)
