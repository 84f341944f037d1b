"""The table of judged accesses: its rows, and the values of its address formulas."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.bench.ir_values import Number, binary

TABLE = Path(__file__).with_name("judged_accesses.tsv")
NAME = r"[A-Za-z_][\w.]*"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; all texts, as documented in README.md."""

    corpus: str
    draw: str
    path: str
    line: str
    column: str
    length: str
    analyse: str
    verdict: str
    base: str
    bytes: str
    space: str
    rw: str
    requests: str
    address: str
    note: str
    revised: str

    @property
    def name(self) -> str:
        return f"{self.corpus}:{self.draw} {self.path}:{self.line}:{self.column}"

    @property
    def judged(self) -> bool:
        return self.verdict == "access"


def read_table(path: Path = TABLE) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return [Row(**line) for line in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def offset_of(text: bytes, line: int, column: int) -> int:
    """Byte offset of a line and a column, both from 1."""
    start = 0
    for _ in range(line - 1):
        start = text.index(b"\n", start) + 1
    return start + column - 1


def evaluate(formula: str, names: Mapping[str, Number]) -> Number:
    """The value of a judged formula: C integer arithmetic, by precedence climbing over its tokens."""
    tokens = re.findall(r"\d+|" + NAME + r"|[()+\-*/%&]", formula)
    levels = (("&",), ("+", "-"), ("*", "/", "%"))
    at = 0

    def atom() -> Number:
        nonlocal at
        token = tokens[at]
        at += 1
        if token == "(":
            inner = climb(0)
            at += 1
            return inner
        return int(token) if token.isdigit() else names[token]

    def climb(level: int) -> Number:
        nonlocal at
        if level == len(levels):
            return atom()
        left = climb(level + 1)
        while at < len(tokens) and tokens[at] in levels[level]:
            op = tokens[at]
            at += 1
            left = binary(op, left, climb(level + 1))
        return left

    return climb(0)


def names_of(formula: str) -> list[str]:
    return sorted(set(re.findall(NAME, formula)))
