"""Answers that rest on one frozen object alone, or on it and what is asked beside it: each is found once, and kept with the object.

    class Poly:
        @derived
        def symbols(self) -> frozenset[Symbol]: ..                       # poly.symbols

    @derived
    def statements_of(kernel: Kernel) -> tuple[Stmt, ..]: ..             # statements_of(kernel)

    @derived
    def weights(profile: KernelProfile, settings: Settings) -> Weights: ..   # weights(profile, settings)

Answers lie in the object's own dictionary, so the object must have no slots.  They go with the object: `replace` makes another one, so
that nothing has to be forgotten, and neither comparing nor packing sees them.  Nobody changes what is answered.  Unlike
`functools.cached_property` this takes no lock, which would take longer than most answers; an analysis runs in one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

Owner = TypeVar("Owner")
P = ParamSpec("P")
T = TypeVar("T")


class derived(Generic[Owner, P, T]):  # read as a decorator, as `property` is
    """Remembers an answer with the object that it is about: a method without arguments becomes an attribute, and a
    function runs once for each object and further arguments."""

    def __init__(self, make: Callable[Concatenate[Owner, P], T]) -> None:
        self._make: Callable[..., T] = make
        self._name = f"{make.__module__}.{make.__qualname__}"
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __call__(self, found: Owner, *beside: P.args, **named: P.kwargs) -> T:
        """The answer about an object."""
        answers: dict[str, Any] = found.__dict__
        name = self._name
        if not beside and not named:
            if name not in answers:
                answers[name] = self._make(found)
            answer: T = answers[name]
            return answer
        known: list[tuple[object, T]] = answers.setdefault(name, [])
        asked = beside, named
        for question, answer in known:
            if question == asked:  # what is the same object is not looked at
                return answer
        answer = self._make(found, *beside, **named)
        known.append((asked, answer))
        return answer

    def put(self, found: Owner, value: T) -> None:
        """Stores the answer about an object, for whoever makes the object and knows it."""
        found.__dict__[self._name] = value

    @overload
    def __get__(self, found: None, owner: type) -> derived[Owner, P, T]: ...

    @overload
    def __get__(self, found: object, owner: type) -> T: ...

    def __get__(self, found: Any, owner: type) -> derived[Owner, P, T] | T:
        """The answer, found now: it is an attribute of the object afterwards, and the next reading does not come here."""
        if found is None:
            return self
        value = found.__dict__[self._name] = self._make(found)
        return value
