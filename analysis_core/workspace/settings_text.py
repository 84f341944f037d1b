"""Settings that are values of a program, as an editor or a caller has them, in the words of a settings file."""

from __future__ import annotations

import json
from collections.abc import Mapping


def toml_of(settings: Mapping[str, object]) -> str:
    """A line for each that is set; None is: not set.  Raises ValueError for what TOML has no words for."""
    return "".join(toml_line(str(key), value) for key, value in settings.items() if value is not None)


def toml_line(key: str, value: object) -> str:
    """One key with its value.  Raises ValueError."""
    return f"{json.dumps(dashed(key))} = {_toml(value)}\n"


def dashed(key: str) -> str:
    """`defaultBlock` and `default_block` as `default-block`."""
    return "".join(f"-{char.lower()}" if char.isupper() else char for char in key).replace("_", "-")


def _toml(value: object) -> str:
    if isinstance(value, bool | int | float | str):
        return json.dumps(value, allow_nan=False)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {_toml(item)}" for key, item in value.items()) + "}"
    raise ValueError(f"a value of type {type(value).__name__} is not understood")
