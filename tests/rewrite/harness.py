"""A text as refactorings read it, and the one of a name tried at a line."""

from __future__ import annotations

from analysis_core.pipeline.checked_fixes import Place
from analysis_core.rewrite.checks import NO_CHOICE, Checked, checked
from analysis_core.rewrite.core.action import Action, Choice, Refused, Site
from analysis_core.rewrite.core.unit import Unit
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store


def unit_of(text: str) -> Unit:
    """The text as a file `a.cu`."""
    return Unit(Place("a.cu", MemoryFiles({"a.cu": text.encode()}), Settings(), (), Store()))


def sites_of(unit: Unit, action: Action) -> list[Site]:
    """Where an action may be tried, in all kernels."""
    return [site for kernel, declared in unit.kernels() for site in action.sites(unit, kernel, declared)]


def tried(
    text: str, action: Action, line: int | None = None, choice: Choice = NO_CHOICE, shapes: int = 3
) -> Checked | Refused:
    """What becomes of an action at its first site, or the first on that line."""
    unit = unit_of(text)
    site = next(one for one in sites_of(unit, action) if line is None or unit.line(one.span) == line)
    return checked(unit, action, site, choice, shapes)


def text_of(found: Checked, before: str) -> str:
    """The text after the edits of what was accepted."""
    return unit_of(before).edited(found.rewritten.edits).text.decode()
