"""Kernels that conditionals leave out of a file, and what they would need: a list that is too short must say so.

    #if __CUDA_ARCH__ >= 1000
    __global__ void tiled(..) { .. }        1 kernel needs `__CUDA_ARCH__ >= 1000`
    #endif

A kernel of which another definition is read is not left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from analysis_core.syntax.lex.mentions import code_of
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_DIRECTIVE = re.compile(rb"^[ \t]*\#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b((?:\\\r?\n|[^\n])*)", re.MULTILINE)
_LINES = re.compile(rb"^[ \t]*\#(?:\\\r?\n|[^\n])*", re.MULTILINE)
_KERNEL = re.compile(rb"\b__global__\b(?:[^;{}()]|\([^()]*\))*?\b(\w+)\s*\([^;{}]*\)\s*\{")
_LONGEST = 80


LeftOutKernels = tuple[tuple[str, int], ...]
"""What kernels would need, and how many need it."""


def kernels_left_out(text: bytes, inactive: Sequence[Span], read: Collection[str]) -> LeftOutKernels:
    """The kernels that are not read, by what they would need. `inactive`: what conditionals leave out, in order; `read`: the names of
    kernels that are read."""
    if not any(b"__global__" in text[stretch.start : stretch.end] for stretch in inactive):
        return ()
    code = code_of(text)
    live = bytearray(_LINES.sub(_blank, code))
    for stretch in inactive:
        live[stretch.start : stretch.end] = b" " * (stretch.end - stretch.start)
    dead = [branch for branch in _branches(code) if not live[branch.start : branch.end].strip()]
    counts: dict[str, int] = {}
    for kernel in _KERNEL.finditer(code):
        if kernel[1].decode("ascii", "replace") not in read:
            around = [branch for branch in dead if branch.start <= kernel.start() < branch.end]
            if around:
                outermost = min(around, key=lambda branch: branch.start)
                counts[outermost.needs] = counts.get(outermost.needs, 0) + 1
    return tuple(counts.items())


def said(left_out: LeftOutKernels) -> list[str]:
    """One sentence for each condition."""
    return [f"{n} kernel{'s need' if n > 1 else ' needs'} {needs}" for needs, n in left_out]


@dataclass(frozen=True, slots=True)
class _Branch:
    """The bytes behind a directive up to the next one of the same conditional, and when they are read."""

    needs: str
    start: int
    end: int


def _branches(code: bytes) -> Iterator[_Branch]:
    opened: list[tuple[str, str, int]] = []
    for line in _DIRECTIVE.finditer(code):
        word, text = line[1].decode(), b" ".join(line[2].replace(b"\\\n", b" ").split()).decode("utf-8", "replace")
        text = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
        if word.startswith("if"):
            opened.append((text, _condition(word, text), line.end()))
        elif opened:
            first, needs, start = opened.pop()
            yield _Branch(needs, start, line.start())
            if word != "endif":
                opened.append((first, f"that `{first}` does not hold" if word == "else" else f"`{text}`", line.end()))


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


def _condition(word: str, condition: str) -> str:
    match word:
        case "ifdef":
            return f"that `{condition}` is defined"
        case "ifndef":
            return f"that `{condition}` is not defined"
        case _:
            return f"`{condition}`"
