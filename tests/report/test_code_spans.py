"""What the source says is shown, and nothing of it is markup, wherever it comes from: comments, strings, macros, names of files."""

from __future__ import annotations

import random
import re

from analysis_core.incremental.host import Host
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.cards import hover
from analysis_core.report.code_spans import SPAN, code, harmless, inside
from analysis_core.report.hover_kernel import hover_kernel
from analysis_core.support.files import MemoryFiles
from analysis_core.support.interrupts import Interrupts
from analysis_core.support.settings import Settings
from lsp_server.analyse import Job, answered
from lsp_server.answers import Answer, Parts
from lsp_server.options import EditorOptions
from lsp_server.plain_text import plain
from lsp_server.worker_process import At, Partly

IMAGE = "![w](https://example.org/x.png)"
LINK = "[line 1](file:///p/a.cu#L1)"

SOURCE = """
#define EVIL(x) (x /* ` IMAGE ` */)
#include "q` IMAGE `.h"
//@ assume n > 0 && ` IMAGE `
__global__ void k(float *a, const char *s, int n, float **p) {
  int i = threadIdx.x;
  if (s[i] == '`' /* ` IMAGE ` */ && i < n) a[s[i] == '`' ? 8 * i : i] = 1;
  if (s[i] == '`' /* `` IMAGE ``` */ && i < n) a[s[i] == '`' ? 8 * i : i] = 1;
  for (int j = 0; j < s[i] /*` IMAGE `*/; j++) a[32 * j /* ` IMAGE ` */ + i] = EVIL(2);
  while (s[i] != '`' | /* | IMAGE | */ n > 3) { a[i * n] = 1; i++; }
  asm("` IMAGE `" : : : );
  a[("` IMAGE `")[i]] = 3;
  a[i * n + (p[0][i] > 0 /* ` IMAGE ` */)] = ` IMAGE `;
  a[undeclared` IMAGE `(i)] = 4;
  switch (s[i] /* `` <img src="https://example.org/x.png"> `` */) { case 1: a[i * 4] = 1; break; }
}
void h(float *a, char *s, float **p) { k<<<4 /* ` IMAGE ` */, 64>>>(a, s, 10, p); }
""".replace("IMAGE", IMAGE)


def cards(source: str) -> set[str]:
    """All cards of a file, as the server sends them."""
    parts, data = Parts(), source.encode()

    def send(message: Partly | At) -> None:
        if isinstance(message, Partly) and isinstance(message.answer, Answer):
            parts.take(message.answer, frozenset())

    job = Job("/p/a.cu", {"/p/a.cu": data}, EditorOptions())
    answer = parts.take(answered(Host(), job, send, Interrupts()), frozenset())
    report = parts.whole(answer)
    found = (hover("/p/a.cu", report, answer.settings, at, lambda span: LINK) for at in range(len(data)))
    return {harmless(card.markdown, {LINK}) for card in found if card is not None}


def outside_of_code(markdown: str) -> str:
    """What a renderer reads as markup: paragraph by paragraph, from the left, a run of backquotes ends at the next one as long
    (CommonMark 6.1), backslashes make none (2.4); code blocks are left out."""
    left = re.sub(r"^```text\n.*?^```$", "", markdown, flags=re.DOTALL | re.MULTILINE)
    told = []
    for block in re.split(r"\n\s*\n|\n(?=\d+\. |\|)", left):
        at = 0
        while at < len(block):
            if block[at] == "\\":
                told.append("_")
                at += 2
                continue
            run = re.compile("`+").match(block, at)
            if run is None:
                told.append(block[at])
                at += 1
                continue
            told.append("_")
            end = re.compile(f"(?<!`){run[0]}(?!`)").search(block, run.end())
            at = end.end() if end is not None else run.end()
        told.append("\n")
    return "".join(told).replace(LINK, "_")


def test_no_image_and_no_link_comes_out_of_the_source() -> None:
    found = cards(SOURCE)
    assert len(found) > 8 and any(IMAGE in card for card in found)
    for card in found:
        assert not re.search(r"!\[|\]\(|\]:|<[a-z/!]", outside_of_code(card)), card


def test_code_is_quoted_with_more_than_is_inside() -> None:
    draw = random.Random(5)
    for _ in range(3000):
        text = "".join(draw.choice("`` a|") for _ in range(draw.randrange(1, 12)))
        if not text.strip():
            continue
        shown = code(text)
        span = SPAN.fullmatch(shown)
        assert span is not None and inside(span).strip() == " ".join(text.split()), (text, shown)
        assert outside_of_code(shown) == "_\n"


def test_whatever_a_card_is_made_of() -> None:
    draw = random.Random(7)
    pieces = (
        "`",
        "``",
        "![",
        "](",
        "]",
        "[x]",
        "(u)",
        "<img>",
        "|",
        " ",
        "a",
        "\\",
        "\n",
        "\n\n",
        "1. ",
        LINK,
        "`b`",
        "]:",
        "&lt;",
    )
    for _ in range(5000):
        card = "".join(draw.choice(pieces) for _ in range(draw.randrange(1, 30)))
        told = outside_of_code(harmless(card, {LINK}))
        assert not re.search(r"!\[|\]\(|\]:|<[a-z/!]", told), (card, told)


def test_what_is_harmless_stays_as_it_is() -> None:
    card = f"**<= 32 sectors** at `a[i]` · {LINK}, [32][33\n\n| `n` | <= 3 |\n\n```text\na ` ![b](c)\n```\n"
    assert harmless(card, {LINK}) == card
    assert harmless("| `a | b` |", ()) == r"| `a \| b` |"
    assert plain("``a ` b`` and `c`") == "'a ` b' and 'c'"


def test_products_of_names_are_no_emphasis() -> None:
    text = """__device__ void unknown(float *p);
__global__ void k(float *a, int n, int m, int h) {
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int l = 0; l < h; l++) a[(i + j + l) * 256 + 8 * threadIdx.x] = 1;
    unknown_too(a);
}
"""
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(block=(256, 1, 1)))
    card = hover_kernel(report.kernels[0], Settings(), lambda span: "line 1")
    assert "Excluding that: `<= 32*n*m*h sectors` per warp." in " ".join(card.split())
    outside = re.sub(r"`[^`]*`|```.*?```", "", card, flags=re.DOTALL).replace("**", "")
    assert all(paragraph.count("*") < 2 for paragraph in outside.split("\n\n"))
