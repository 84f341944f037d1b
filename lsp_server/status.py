"""The server's state of health, told to the client: `warpcost/status`, as status items of editors show it.

    {"health": "ok" | "warning" | "error", "quiescent": bool, "message": string}

Quiescent: nothing is being analysed.  It is told when it changes, and `BUSY` seconds late when work begins, so that a status item
does not flicker with every key.  Work that takes longer is shown as progress too, which the user may cancel (progress.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum

METHOD = "warpcost/status"
BUSY = 0.3


class Health(Enum):
    """`WARNING`: something is left out; `ERROR`: a file could not be analysed."""

    OK, WARNING, ERROR = "ok", "warning", "error"


class Status:
    """What was told last.  `begun` and `ended` are called when work takes long enough to be told of, and when it ends; `step` with
    what it is at."""

    def __init__(self, notify: Callable[[str, object], None]) -> None:
        self._notify = notify
        self._told: dict[str, object] | None = None
        self._troubles: dict[str, tuple[Health, str]] = {}  # by document
        self._settings_wrong = False
        self._left_out: str | None = None
        self._busy = False
        self._timer: asyncio.TimerHandle | None = None
        self.begun: Callable[[], None] = lambda: None
        self.ended: Callable[[], None] = lambda: None
        self.step: Callable[[str], None] = lambda text: None

    def busy(self, yes: bool) -> None:
        """Notes that work begins or ends."""
        if yes:
            if self._timer is None and not self._busy:
                self._timer = asyncio.get_running_loop().call_later(BUSY, self._has_begun)
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._busy:
            self._busy = False
            self.ended()
        self.tell()

    def _has_begun(self) -> None:
        self._busy, self._timer = True, None
        self.begun()
        self.tell()

    def at(self, file: str, kernel: str) -> None:
        """Notes which kernel is about to be analysed."""
        if self._busy:
            self.step(f"{file}: {kernel}")

    def worked(self, uri: str, failure: str | None) -> None:
        """Notes that a document was analysed, perhaps with an error of ours."""
        self._troubles.pop(uri, None)
        if failure is not None:
            self._troubles[uri] = Health.WARNING, f"internal error: {failure}"

    def failed(self, uri: str, message: str) -> None:
        """Notes that a document could not be analysed."""
        self._troubles[uri] = Health.ERROR, message

    def closed(self, uri: str) -> None:
        """Forgets what was wrong with a document that was closed."""
        if self._troubles.pop(uri, None) is not None:
            self.tell()

    def settings_wrong(self, yes: bool) -> None:
        """Notes whether settings of the editor were left out."""
        self._settings_wrong = yes

    def scanned(self, left_out: str | None) -> None:
        """Notes that the workspace was looked through, and what a limit left out."""
        self._left_out = left_out
        self.tell()

    def value(self) -> dict[str, object]:
        """The status as the client is told it."""
        worst = max(self._troubles.values(), key=lambda trouble: trouble[0] is Health.ERROR, default=(Health.OK, ""))
        health, message = worst
        if health is Health.OK and self._settings_wrong:
            health, message = Health.WARNING, "some settings are not understood, see the log"
        elif health is Health.OK and self._left_out is not None:
            health, message = Health.WARNING, self._left_out
        return {"health": health.value, "quiescent": not self._busy, "message": message}

    def tell(self) -> None:
        """Tells the client, if there is anything new."""
        value = self.value()
        if value != self._told:
            self._told = value
            self._notify(METHOD, value)
