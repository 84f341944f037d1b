"""A program under construction, and how it is printed for each reader."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

SCALARS = ("char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
           "long long", "unsigned long long", "float", "double", "bool")  # fmt: skip
INTEGERS = ("char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long long")


@dataclass(frozen=True)
class Query:
    """The body of a function that returns a number; `feature`: what of the language it is about."""

    body: str
    feature: str


@dataclass(frozen=True)
class Program:
    """`layouts`: classes and the members whose offsets are asked for."""

    seed: int
    topic: str
    lines: tuple[str, ...]
    queries: tuple[Query, ...]
    layouts: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def name(self) -> str:
        return f"p{self.seed}"

    def text(self) -> str:
        """What all readers read: declarations, and the queries as functions."""
        queries = [f"FN long long q{i}() {{ {q.body} }}" for i, q in enumerate(self.queries)]
        return "\n".join([f"namespace {self.name} {{", *self.lines, *queries, "}", ""])


@dataclass
class Writer:
    """Lines and queries so far.  `tag` gives numbers that tell functions apart."""

    random: random.Random
    lines: list[str] = field(default_factory=list)
    queries: list[Query] = field(default_factory=list)
    layouts: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    last_tag: int = 0
    names: int = 0
    feature: str = ""

    def tag(self) -> int:
        self.last_tag += self.random.randint(1, 9)
        return self.last_tag

    def name(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def add(self, *lines: str) -> None:
        self.lines.extend(lines)

    def ask(self, body: str) -> None:
        """A query: an expression, or statements with a `return`."""
        self.queries.append(Query(body if "return" in body else f"return {body};", self.feature))

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def scalar(self) -> str:
        return self.random.choice(SCALARS)

    def integer(self) -> str:
        return self.random.choice(INTEGERS)
