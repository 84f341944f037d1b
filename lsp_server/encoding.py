"""How texts are counted: columns as the client counts them, offsets in bytes."""

from __future__ import annotations

from enum import Enum


class Encoding(Enum):
    """The unit in which the client counts columns."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"


def encoded(text: str) -> bytes:
    """The bytes that offsets count.  A lone surrogate, which JSON allows, becomes `?`: one byte and one UTF-16 unit."""
    return text.encode("utf-8", "replace")
