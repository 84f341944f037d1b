"""The rules whose fixes are edits that are tried before they are offered, and how a note tells that one is not, and why."""

from __future__ import annotations

from analysis_core.report.findings.model import CheckId

PADDED = CheckId("WC201")
"""The rule whose fix is a padded tile."""

BARRED = frozenset({CheckId("WC401"), CheckId("WC403"), CheckId("WC404")})
"""Those whose fixes put barriers in, or take them away."""

TRIED = BARRED | {PADDED, CheckId("WC900")}

CURED = frozenset(map(CheckId, ("WC101", "WC102", "WC104", "WC105", "WC201", "WC301", "WC302")))
"""The rules on whose findings refactorings are offered (rewrite/registry.py)."""

_BEGINNING, _MIDDLE = "no padding of `", "` is offered: "


def refusal_note(tile: str, reason: str) -> str:
    """The note's text.  `tile`: the shared array that is left as it is."""
    return f"{_BEGINNING}{tile}{_MIDDLE}{reason}"


def read_refusal(text: str) -> tuple[str, str] | None:
    """The tile and the reason; None of any other note."""
    if not text.startswith(_BEGINNING):
        return None
    tile, _, reason = text.removeprefix(_BEGINNING).partition(_MIDDLE)
    return tile, reason
