"""Properties that are kept with their objects, and frozen records that are made fast."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from analysis_core.support.derived import derived
from analysis_core.text.quick import quick_init


@quick_init
@dataclass(frozen=True, slots=True)
class Record:
    first: int
    second: str = "two"
    third: tuple[int, ...] = ()


def test_a_quick_record_is_the_same_record() -> None:
    record = Record(1, third=(3,))
    assert record == Record(1, "two", (3,)) and hash(record) == hash(Record(1, "two", (3,)))
    assert repr(record) == "Record(first=1, second='two', third=(3,))"
    assert replace(record, second="2") == Record(1, "2", (3,))
    assert pickle.loads(pickle.dumps(record)) == record


def test_a_quick_record_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Record(1).first = 2  # type: ignore[misc]


def test_calls_that_do_not_fit_are_refused() -> None:
    with pytest.raises(TypeError):
        Record()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Record(1, fourth=4)  # type: ignore[call-arg]


def test_what_is_not_set_by_position_is_refused() -> None:
    with pytest.raises(TypeError, match="parts"):

        @quick_init
        @dataclass(frozen=True, slots=True)
        class _Listed:
            parts: list[int] = field(default_factory=list)


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
