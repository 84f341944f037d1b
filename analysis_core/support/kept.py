"""A property that is computed once per object and kept with it.

What `functools.cached_property` does, without its lock, which takes longer than most of what is kept; an analysis runs in
one thread.  After the first reading the value lies in the object's own dictionary, and nothing of this is asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class kept(Generic[T]):  # read as a decorator, as `property` is
    """Makes a method without arguments an attribute of objects that have no slots."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def put(self, found: object, value: T) -> None:
        """The value for an object whose maker knows it."""
        found.__dict__[self._name] = value

    @overload
    def __get__(self, found: None, owner: type) -> kept[T]: ...

    @overload
    def __get__(self, found: object, owner: type) -> T: ...

    def __get__(self, found: object | None, owner: type) -> kept[T] | T:
        """The value, made now: the next reading does not come here."""
        if found is None:
            return self
        value = found.__dict__[self._name] = self._make(found)
        return value
