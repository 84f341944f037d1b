"""One kernel's events, for tests that look at what the interpreter saw."""

from __future__ import annotations

from analysis_core.expressions.expression import to_text
from analysis_core.interp.core.dump import polynomial_text
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.interp.interpret import interpret
from analysis_core.program.launch import choose_launches
from analysis_core.program.lower import lower
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse


def events_of(text: str, settings: Settings | None = None) -> Events:
    """The events of the only kernel in the text, under its first launch."""
    settings = settings or Settings()
    module = lower(parse("k.cu", MemoryFiles({"k.cu": text.encode()}), settings), settings)
    (kernel,) = module.kernels
    return interpret(kernel, choose_launches(kernel, settings)[0], settings)


def accesses(events: Events, text: str) -> list[AccessEvent]:
    """The events of the accesses that are spelled so."""
    return [event for event in events.accesses if event.access.text == text]


def address(event: AccessEvent) -> str:
    """The address polynomial as the dump of events shows it."""
    return polynomial_text(event.address.poly)


def times(event: AccessEvent) -> str:
    """How often the access is executed per warp."""
    return to_text(event.times)
