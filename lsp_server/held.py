"""The diagnostics that a client holds which asks for them itself, so that it is told to ask again whenever they are not the present ones.

It holds what it was answered last.  While it waits for an answer it need not be told: it will get the present ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class Held:
    """What was answered last about each document (by URI): the revision of its text, and the diagnostics."""

    def __init__(self) -> None:
        self._answers: dict[str, tuple[int, Sequence[object]]] = {}
        self._asked: Counter[str] = Counter()

    @contextmanager
    def asking(self, uri: str) -> Iterator[None]:
        """While the client waits for an answer."""
        self._asked[uri] += 1
        try:
            yield
        finally:
            self._asked[uri] -= 1

    def answered(self, uri: str, revision: int, items: Sequence[object]) -> None:
        """Notes what the client is answered."""
        self._answers[uri] = revision, items

    def forget(self, uri: str) -> None:
        """Notes that nothing is known any more of what the client holds."""
        self._answers.pop(uri, None)

    def is_behind(self, uri: str, revision: int, items: Sequence[object]) -> bool:
        """Whether the client has to be told that these are the present ones."""
        return not self._asked[uri] and self._answers.get(uri) != (revision, items)
