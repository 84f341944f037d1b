"""How long the stages of one file take."""

from __future__ import annotations

from time import perf_counter

from analysis_core.report.findings.model import StageTime


class Clock:
    """Measures wall seconds per stage of one file."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._since = perf_counter()

    def lap(self, stage: str) -> None:
        """Credits the time since the last lap to `stage`."""
        now = perf_counter()
        self._seconds[stage] = self._seconds.get(stage, 0.0) + now - self._since
        self._since = now

    def times(self) -> tuple[StageTime, ...]:
        return tuple(StageTime(stage, seconds) for stage, seconds in self._seconds.items())
