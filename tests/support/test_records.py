"""Properties that are kept with their objects, and records."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, replace
from typing import Any

import pytest

from analysis_core.support.derived import derived
from analysis_core.text.records import _record, dataclass


@dataclass(frozen=True, slots=True)
class Record:
    first: int
    second: str = "two"
    third: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Named(Record):
    fourth: list[int] = field(default_factory=list)
    seconds: float = field(default=0.0, compare=False)


@dataclass(slots=True)
class Changing:
    first: int
    sums: list[int] = field(default_factory=list)
    second: int = field(init=False)

    def __post_init__(self) -> None:
        self.second = 2 * self.first


def test_a_record_is_a_frozen_value() -> None:
    record = Record(1, third=(3,))
    assert record == Record(1, "two", (3,)) and hash(record) == hash(Record(1, "two", (3,)))
    assert record != Record(2) and record != (1, "two", (3,))
    assert repr(record) == "Record(first=1, second='two', third=(3,))"
    assert replace(record, second="2") == Record(1, "2", (3,))
    assert pickle.loads(pickle.dumps(record)) == record
    with pytest.raises(FrozenInstanceError):
        record.first = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del record.first


def test_fields_may_be_inherited_named_made_and_left_out_of_comparisons() -> None:
    one, other = Named(1, fourth=[4]), Named(1, fourth=[4], seconds=2.0)
    assert one == other and one != Named(1) and Named(1).fourth is not Named(1).fourth
    assert one != Record(1) and pickle.loads(pickle.dumps(other)).seconds == 2.0
    assert repr(one) == "Named(first=1, second='two', third=(), fourth=[4], seconds=0.0)"
    with pytest.raises(TypeError):
        Named(1, "two", (), [])  # type: ignore[misc]


def test_what_changes_has_no_hash() -> None:
    changing = Changing(1)
    changing.sums.append(3)
    changing.first = 4
    assert changing == changing and changing != Changing(4) and changing.second == 2
    with pytest.raises(TypeError):
        hash(changing)


def test_calls_that_do_not_fit_are_refused() -> None:
    with pytest.raises(TypeError):
        Record()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Record(1, fourth=4)  # type: ignore[call-arg]


_OPTIONS: tuple[dict[str, bool], ...] = (
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "order": True},
    {"frozen": True, "slots": True, "eq": False},
    {"eq": False},
    {"frozen": True, "slots": True, "kw_only": True},
)


def _told(made: Callable[[], Any]) -> object:
    """What comes out, or the kind of error."""
    try:
        return made()
    except (TypeError, AttributeError) as error:
        return next(kind for kind in (AttributeError, TypeError) if isinstance(error, kind))


@pytest.mark.parametrize("options", _OPTIONS, ids=lambda options: " ".join(options) or "none")
def test_it_does_what_the_library_does(options: dict[str, bool]) -> None:
    def seen(decorator: Any) -> list[object]:
        @decorator(**options)
        class Pair:
            one: int
            two: str = "b"

        @decorator(**options)
        class Triple(Pair):
            three: tuple[int, ...] = (3,)

            def __eq__(self, other: object) -> bool:
                return isinstance(other, Triple)

        a, b, c = Pair(one=1), Pair(one=1, two="c"), Triple(one=1)

        def assigned() -> None:
            a.one = 5

        return [
            *(f.name for f in dataclasses.fields(Triple)),
            Pair.__match_args__,
            repr(c).rpartition(".")[2],
            *(_told(made) for made in (lambda: a == b, lambda: a == Pair(one=1), lambda: c == Triple(one=2))),
            *(_told(made) for made in (lambda: a < b, lambda: a >= b, lambda: hash(a) == hash(Pair(one=1)))),
            _told(lambda: hash(c) != id(c) // 16),
            *(_told(made) for made in (assigned, lambda: a.one, lambda: Pair(1, "b").two, lambda: Pair())),
            hasattr(a, "__dict__"),
        ]

    assert seen(_record) == seen(dataclasses.dataclass)


class Counted:
    def __init__(self) -> None:
        self.asked = 0

    @derived
    def answer(self) -> int:
        """Asked once."""
        self.asked += 1
        return 42


def test_a_derived_property_is_found_once_per_object() -> None:
    one, other = Counted(), Counted()
    assert (one.answer, one.answer, other.answer) == (42, 42, 42)
    assert (one.asked, other.asked) == (1, 1)
    assert isinstance(Counted.answer, derived) and Counted.answer.__doc__ == "Asked once."
