"""Values that users write on the command line and in settings files: shapes, names, numbers.

Every function raises `BadValue` with one sentence for the user and nothing else.
"""

from __future__ import annotations

import re
from typing import Any

from analysis_core.machine.block_shape import MAXIMUM_EXTENTS, MAXIMUM_THREADS, Shape, is_launchable
from analysis_core.machine.description import UnknownMachine, describe
from analysis_core.text.span import FileId


class BadValue(ValueError):
    """Raised for a bad value, with a sentence that says what is wrong. `keys`: the keys below the setting's own (or
    numbers of elements) that lead to it; `at_key`: the last key is wrong, not the value."""

    def __init__(self, text: str, keys: tuple[str | int, ...] = (), at_key: bool = False) -> None:
        super().__init__(text)
        self.keys = keys
        self.at_key = at_key


def extents_of(value: Any, what: str) -> Shape:
    """Three positive integers from "16,16", "16x16", "(16, 16, 1)", 256 or [16, 16]; missing ones are 1."""
    if isinstance(value, int) and not isinstance(value, bool):
        numbers = [value]
    elif isinstance(value, str):
        parts = re.split(r"\s*[,x]\s*", value.strip().strip("()"))
        if not all(re.fullmatch(r"[0-9]{1,12}", part) for part in parts):
            raise BadValue(f"'{value}' is not a {what} such as 256 or 16,16")
        numbers = [int(part) for part in parts]
    elif isinstance(value, list) and value and all(isinstance(v, int) and not isinstance(v, bool) for v in value):
        numbers = list(value)
    else:
        raise BadValue(f"a {what} such as 256 or [16, 16] is expected here")
    if not 1 <= len(numbers) <= 3 or min(numbers) < 1:
        raise BadValue(f"a {what} has one to three extents of at least 1")
    x, y, z = [*numbers, 1, 1][:3]
    return (x, y, z)


def block_of(value: Any) -> Shape:
    """A block shape that the hardware accepts, in threads."""
    shape = extents_of(value, "block")
    if not is_launchable(shape):
        x, y, z = MAXIMUM_EXTENTS
        raise BadValue(f"a block has at most {MAXIMUM_THREADS} threads, and at most {x}, {y} and {z} along its axes")
    return shape


def grid_of(value: Any) -> Shape:
    """A grid shape, in blocks."""
    shape = extents_of(value, "grid")
    if shape[0] >= 2**31 or max(shape[1:]) > 65535:
        raise BadValue("a grid has at most 2147483647 blocks along x and 65535 along y and z")
    return shape


def cc_of(value: Any) -> str:
    """A compute capability that has a description, as "9.0"."""
    text = f"{value:.1f}" if isinstance(value, float) else str(value)
    machine = describe(text)
    if isinstance(machine, UnknownMachine):
        raise BadValue(machine.reason)
    return "{}.{}".format(*machine.version)


def toolkit_of(value: Any) -> str:
    """A version of the toolkit, as "13.0"; 12 is 12.0."""
    match = re.fullmatch(r"([1-9][0-9]?)(?:\.([0-9]))?", str(value))
    if match is None:
        raise BadValue(f"'{value}' is no version of CUDA, as 12.4 is")
    return f"{match[1]}.{match[2] or 0}"


def setting_of(value: str) -> tuple[str, int]:
    """NAME=INT; names may be members ("p.n"), integers decimal or hexadecimal."""
    match = re.fullmatch(r"\s*([A-Za-z_][\w.]*)\s*=\s*([-+]?(?:0[xX][0-9a-fA-F]{1,16}|[0-9]{1,19}))\s*", value)
    if match is None:
        raise BadValue(f"'{value}' is not NAME=INT")
    return match[1], int(match[2], 16 if "x" in match[2].lower() else 10)


def condition_of(text: str) -> str:
    """A condition in the language of annotations, checked for its form only: what its names mean is the kernels' affair."""
    from analysis_core.syntax.read.annotation_terms import Piece, Unread, read_term

    try:
        read_term(Piece(text.encode().decode("latin-1"), 0, FileId("")), {})
    except Unread as unread:
        raise BadValue(f"'{text}': {unread.wrong.reason}") from None
    return text


def argument_of(text: str) -> tuple[str, str]:
    """NAME=VALUE of a simulated launch, taken apart; what values may be says `simulation_arguments`."""
    name, equals, value = text.partition("=")
    if not equals or re.fullmatch(r"[A-Za-z_][\w.:]*", name.strip()) is None:
        raise BadValue(f"'{text}' is not NAME=VALUE")
    return name.strip(), value.strip()


def count_of(text: str) -> int:
    """A number of bytes or rounds, at least 0."""
    if re.fullmatch(r"[0-9]{1,18}", text.strip()) is None:
        raise BadValue(f"'{text}' is no number of at least 0")
    return int(text)


def registers_of(value: str) -> tuple[dict[str, int], int]:
    """N, or MACRO=INT,MACRO=INT:N: the registers of a thread of all variants with these values."""
    named, _, count = value.rpartition(":")
    if re.fullmatch(r"\s*[0-9]{1,3}\s*", count) is None:
        raise BadValue(f"'{value}' is not N or MACRO=INT:N")
    return dict(setting_of(one) for one in named.split(",")) if named.strip() else {}, int(count)


def define_of(value: str) -> tuple[str, str]:
    """NAME or NAME=TEXT, as compilers take it; a name alone is defined as 1."""
    name, equals, text = value.partition("=")
    if re.fullmatch(r"[A-Za-z_]\w*", name) is None:
        raise BadValue(f"'{value}' is not NAME or NAME=VALUE")
    return name, text if equals else "1"
