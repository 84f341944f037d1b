"""The text of inline assembly as instructions, and what is known of each of them.

    {.reg .pred p; setp.ne.b32 p, %2, 0; @p ld.global.v2.f32 {%0, %1}, [%3 + 16];}

Source: PTX ISA 8.7, "Syntax" and "Instruction Set".  What moves memory, waits or goes elsewhere is known by name; what only computes is listed.
A text with anything else is not understood as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis_core.text.records import dataclass


class NotUnderstood(Exception):
    """An instruction of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """`words`: the name, split at its dots.  `guard`: the predicate that it is executed under, with "!" before it where negated; "" without one."""

    words: tuple[str, ...]
    operands: tuple[str, ...]
    guard: str = ""

    @property
    def name(self) -> str:
        return ".".join(self.words)

    def operand(self, number: int) -> str:
        """One of its operands; without it the instruction is none."""
        if number >= len(self.operands):
            raise NotUnderstood(self.name)
        return self.operands[number]


COMPUTES = frozenset(
    [
        "abs",
        "neg",
        "add",
        "sub",
        "mul",
        "mad",
        "mul24",
        "mad24",
        "sad",
        "div",
        "rem",
        "min",
        "max",
        "popc",
        "clz",
        "bfind",
        "fns",
        "brev",
        "bfe",
        "bfi",
        "bmsk",
        "szext",
        "dp4a",
        "dp2a",
        "testp",
        "copysign",
        "fma",
        "rcp",
        "sqrt",
        "rsqrt",
        "sin",
        "cos",
        "lg2",
        "ex2",
        "tanh",
        "set",
        "setp",
        "selp",
        "slct",
        "and",
        "or",
        "xor",
        "not",
        "cnot",
        "lop3",
        "shf",
        "shl",
        "shr",
        "mov",
        "prmt",
        "cvt",
        "cvta",
        "isspacep",
        "createpolicy",
        "mapa",
        "getctarank",
        "vadd",
        "vsub",
        "vabsdiff",
        "vmin",
        "vmax",
        "vshl",
        "vshr",
        "vmad",
        "vset",
        *(f"v{name}{parts}" for name in ("add", "sub", "avrg", "absdiff", "min", "max", "set") for parts in (2, 4)),
    ]
)
"""Instructions that work on registers of one thread alone."""

CARRIES = frozenset({"addc", "subc", "madc"})
"""Instructions that rest on what an earlier one has carried, too."""

EXCHANGES = frozenset({"shfl", "vote", "match", "redux", "activemask", "elect", "mma", "movmatrix"})
"""Instructions that work on registers of a warp's threads."""

TILES = "copies of tiles by tensor maps are in no count"
"""What is told of copies whose sizes a map has that the host makes."""

ORDERS = frozenset({"fence", "membar", "griddepcontrol"})
WAITS_FOR_COPIES = frozenset({"commit_group", "wait_group", "wait_all"})
"""What `cp.async` is followed by."""

NOTHING = frozenset({"nanosleep", "setmaxnreg", "pmevent", "prefetch", "prefetchu", "trap", "brkpt"})
"""Instructions that neither access memory that costs are counted for nor change a register that a program sees."""

BULK_COPY = "__bulk_copy"
"""The function of the model `bulk_copies.cuh` that moves bytes which no lane works on."""

SPACES = frozenset({"global", "shared", "local", "const", "param"})
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STATEMENT = re.compile(r"[^;{}]*(?:\{[^;{}]*\}[^;{}]*)*;?")
_LABEL = re.compile(r"[A-Za-z$%_][\w$]*:(?!:)\s*")
_GUARD = re.compile(r"@(!?)\s*([\w%$]+)\s*")


def instructions(text: str) -> tuple[Instruction, ...] | None:
    """The instructions of a text in order, declarations of registers and labels left out; None where one is not read."""
    found: list[Instruction] = []
    for statement in _statements(_COMMENT.sub(" ", text)):
        if statement.startswith(".reg"):
            continue
        statement = _LABEL.sub("", statement, count=1) if _LABEL.match(statement) else statement
        guard = _GUARD.match(statement)
        rest = statement[guard.end() :] if guard else statement
        if not rest:
            continue
        name, _, operands = rest.partition(" ")
        if not re.fullmatch(r"[a-z][\w.:]*", name):
            return None
        words = tuple(name.replace("::", ":").split("."))
        found.append(Instruction(words, tuple(_operands(operands)), guard[1] + guard[2] if guard else ""))
    return tuple(_without_waiting(found))


def _without_waiting(found: list[Instruction]) -> list[Instruction]:
    """Branches back to a test of a barrier object are left out: the first test succeeds (`assembly_barriers.py`)."""
    names = {instruction.words[0] for instruction in found}
    waits = any(not {"test_wait", "try_wait"}.isdisjoint(instruction.words) for instruction in found)
    if not waits or not names <= {"mbarrier", "bra", "nanosleep", "mov", "selp", "setp"}:
        return found
    return [instruction for instruction in found if instruction.words[0] != "bra"]


def _statements(text: str) -> Iterator[str]:
    """Statements without their semicolons and the braces of blocks, blanks made one."""
    at = 0
    while at < len(text):
        if text[at].isspace() or text[at] in "{};":
            at += 1
            continue
        found = _STATEMENT.match(text, at)
        stop = max(found.end() if found else at, at + 1)
        yield " ".join(text[at:stop].rstrip(";").split())
        at = stop


def _operands(text: str) -> Iterator[str]:
    """Operands, split at commas outside of brackets."""
    depth, start = 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and depth == 0:
            yield text[start:i].strip()
            start = i + 1
    if text[start:].strip():
        yield text[start:].strip()


def vector(operand: str) -> tuple[str, ...]:
    """The registers of `{a, b}`, or the one that stands alone."""
    if operand.startswith("{") and operand.endswith("}"):
        return tuple(part.strip() for part in operand[1:-1].split(","))
    return (operand,)


def address(operand: str) -> tuple[str, int] | None:
    """Register and bytes of `[a + 16]`; None for any other operand."""
    found = re.fullmatch(r"\[\s*([%\w\[\]$]+?)\s*(?:\+\s*(-?\w+))?\s*\]", operand)
    bytes_ = integer(found[2]) if found and found[2] else 0
    return None if found is None or bytes_ is None else (found[1], bytes_)


def integer(text: str) -> int | None:
    """The value of an integer constant."""
    if not re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|\d+)U?", text):
        return None
    digits = text.rstrip("U").lower()
    decimal = digits.lstrip("-")
    base = 16 if "x" in digits else 8 if len(decimal) > 1 and decimal[0] == "0" else 10
    return int(digits, base) if base != 8 or not set(decimal) & {"8", "9"} else None
