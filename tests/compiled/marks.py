"""One text in two dialects.

Marks stand in a kernel's text as `@R{a[i]}`:

    R W B   an object that is read, written, or both        A   the object that an atomic function changes (`&@A{a[i]}`)
    P       the place that it changes (`h + n`)             I   the test of an `if`
    L       the test of a loop                              S   what a `switch` looks at
    C       a call: `@C{f|x, y}`                            F   parameters of a function of the device
    N       a step of a counter: `@N{i|+|i += 3}`           Z   its start: `@Z{unsigned|n - 1}`
    H D     an array in shared memory, or of the file: `@H{int|s|[64][33]}`
    E       a loop's test that is not there: `for (;@E{};)`  O   text of C++ only

CUDA has the text within; C++ has a hook of `runtime/dialect.h` around it, with the number of the mark, its *site*.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_MARK = re.compile(r"@([A-Z])\{")


@dataclass(frozen=True, slots=True)
class Site:
    """A mark: its kind, the bytes of the CUDA text that it stands for, their line, and of counters the name.  `head`: of a loop's test
    the line in which the loop begins."""

    kind: str
    start: int
    end: int
    line: int
    name: str = ""
    head: int = 0


@dataclass
class Dialects:
    """The two texts while they are written.  Sites are numbered by their place in `sites`."""

    cuda: list[str] = field(default_factory=list)
    cpp: list[str] = field(default_factory=list)
    sites: list[Site | None] = field(default_factory=list)
    heads: dict[int, int] = field(default_factory=dict)  # of reserved sites, the line that they were reserved in
    offset: int = 0
    line: int = 1

    def cuda_only(self, text: str) -> None:
        """Text that C++ has otherwise."""
        self.cuda.append(text)
        self.offset += len(text)
        self.line += text.count("\n")

    def cpp_only(self, text: str) -> None:
        """Text that CUDA has otherwise."""
        self.cpp.append(text)

    def reserve(self) -> int:
        """The number of a site that is still to come."""
        self.sites.append(None)
        self.heads[len(self.sites) - 1] = self.line
        return len(self.sites) - 1

    def write(self, text: str, reserved: int | None = None) -> None:
        """Marked text; `reserved`: the number of the loop test or switch in it."""
        at = 0
        while mark := _MARK.search(text, at):
            self._both(text[at : mark.start()])
            end = closing(text, mark.end())
            self._mark(mark[1], text[mark.end() : end], reserved)
            at = end + 1
        self._both(text[at:])

    def _both(self, text: str) -> None:
        self.cuda_only(text)
        self.cpp_only(text)

    def _within(self, kind: str, text: str, number: int, name: str = "") -> None:
        """The text of a mark in both dialects."""
        start, line = self.offset, self.line
        self.write(text)
        self.sites[number] = Site(kind, start, self.offset, line, name, self.heads[number])

    def _mark(self, kind: str, text: str, reserved: int | None) -> None:
        number = reserved if reserved is not None and kind in "LSE" else self.reserve()
        match kind:
            case "R" | "W" | "B":
                hook = {"R": "load", "W": "store", "B": "both"}[kind]
                self.cpp_only(f"wc::{hook}({number}, ")
                self._within(kind, text, number)
                self.cpp_only(")")
            case "A":
                self.cpp_only(f"*wc::atom({number}, &(")
                self._within(kind, text, number)
                self.cpp_only("))")
            case "P":
                self.cpp_only(f"wc::atom({number}, ")
                self._within(kind, text, number)
                self.cpp_only(")")
            case "I":
                self.cpp_only(f"wc::test({number}, bool(")
                self._within(kind, text, number)
                self.cpp_only("))")
            case "L":
                self.cpp_only(f"loop_.test({number}, bool(")
                self._within(kind, text, number)
                self.cpp_only("))")
            case "S":
                self._within(kind, text, number)
            case "E":
                self._within(kind, "", number)
                self.cpp_only("loop_.test()")
            case "O":
                self.cpp_only(text)
            case "C":
                self._call(text, number)
            case "F":
                self._both("(")
                self.cpp_only("wc::Site site_" + (", " if text else ""))
                self._within(kind, text, number)
                self._both(")")
            case "N":
                name, sign, step = text.split("|", 2)
                self.cpp_only(f"wc::Counter<decltype({name})>({number}, {name}, {sign}1), ")
                self._within(kind, step, number, name)
            case "Z":
                type_, name, start = text.split("|", 2)
                self.cpp_only(f"wc::begun<{type_}>({number}, ")
                self._within(kind, start, number, name)
                self.cpp_only(")")
            case "H" | "D":
                self._array(kind, text, number)
            case _:
                raise ValueError(f"no such mark: {kind}")

    def _call(self, text: str, number: int) -> None:
        name, arguments = text.split("|", 1)
        start, line = self.offset, self.line
        self._both(f"{name}(")
        self.cpp_only(f"wc::Site{{{number}}}" + (", " if arguments else ""))
        self.write(arguments)
        self._both(")")
        self.sites[number] = Site("C", start, self.offset, line)

    def _array(self, kind: str, text: str, number: int) -> None:
        type_, name, extents = text.split("|")
        word, holder = ("__shared__", "Shared") if kind == "H" else ("__device__", "Device")
        self.sites[number] = Site(kind, self.offset, self.offset, self.line, name)
        self.cuda_only(f"{word} {type_} {name}{extents};")
        self.cpp_only(f"static wc::{holder}<{type_}{extents}> {name}_; auto &{name} = {name}_.value;")


def closing(text: str, at: int) -> int:
    """Where the brace is that closes one before `at`."""
    depth = 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at - 1
