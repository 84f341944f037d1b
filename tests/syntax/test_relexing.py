"""Texts that are cut into tokens again are cut as from the start."""

from __future__ import annotations

import random

import pytest

from analysis_core.support.store import Store
from analysis_core.syntax.lex.lexer import lex
from analysis_core.syntax.lex.relexing import lex_again, relexed
from analysis_core.text.source import SourceText
from analysis_core.text.span import FileId
from tests.bench.typing_files import long_kernel, many_kernels

TEXT = """\
\ufeff#define TWICE(x) \\
    (x) + /* a comment
    over lines */ (x)
#include <a.h> // why \\
   not
/* one */ int a; /* two
*/ int b; // three
#define A 'a'
# /* nothing
  much */ define B "b"
int c = 1 \\
  + 2; char d = 'x'; \\

/* \\
*/
int é = 0x1p-3; // no
__global__ void k() { a <<<1, 2>>> (b); }"""

PIECES = [
    "/*",
    "*/",
    "//",
    "\\\n",
    "\\",
    "\n",
    "#",
    '"',
    "'",
    "x",
    " ",
    'R"(',
    ')"',
    "0x",
    "é",
    "__global__",
    "\r\n",
    "<<",
    "#define Q 1\n",
]


def lexed(text: str) -> object:
    return lex(SourceText(FileId("a.cu"), text.encode()))


@pytest.mark.parametrize("seed", range(60))
def test_random_edits(seed: int) -> None:
    draw = random.Random(seed)
    text, store = TEXT, Store()
    for _ in range(60):
        for _ in range(draw.choice((1, 1, 2))):
            at = draw.randrange(len(text) + 1)
            kind = draw.randrange(4)
            if kind == 0:
                text = text[:at] + draw.choice(PIECES) + text[at:]
            elif kind == 1:
                text = text[:at] + text[at + draw.randrange(9) :]
            elif kind == 2:
                piece = draw.choice(PIECES)
                text = text[:at] + piece + text[at + len(piece) :]  # Nothing moves.
            else:
                lines = text.splitlines(keepends=True)
                lines.insert(draw.randrange(len(lines) + 1), draw.choice(TEXT.splitlines(keepends=True)))
                text = "".join(lines)
        if len(text) < 200 or draw.random() < 0.05:
            text = TEXT
        assert lex_again("a.cu", SourceText(FileId("a.cu"), text.encode()), store) == lexed(text), text


def test_tokens_that_stay_are_the_same() -> None:
    old = lex(SourceText(FileId("a.cu"), long_kernel().encode()))
    text = long_kernel().replace("sum -= 40.0f;", "sum -= 41.0f;").replace("c2 > 2.0f", "c2 < 2.0f").encode()
    new = relexed(old, SourceText(FileId("a.cu"), text))
    assert new == lex(SourceText(FileId("a.cu"), text))
    assert sum(a is not b for a, b in zip(old.tokens, new.tokens, strict=True)) < 200


@pytest.mark.parametrize("kind", ["longer", "shorter"])
def test_what_moves(kind: str) -> None:
    old = lex(SourceText(FileId("a.cu"), many_kernels(6).encode()))
    to = "int steps, int more" if kind == "longer" else "int s"
    text = many_kernels(6).replace("int steps", to, 1).encode()
    assert relexed(old, SourceText(FileId("a.cu"), text)) == lex(SourceText(FileId("a.cu"), text))
