"""How a note tells that a fix was tried and is not offered, and why."""

from __future__ import annotations

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
