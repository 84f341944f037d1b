"""Markdown joins lines; on a card only those lines may be joined that were one before they were wrapped."""

from __future__ import annotations

from analysis_core.report.findings.reasons import COLUMNS, seen, with_hard_breaks, wrapped

CARD = """**32 sectors per request** · store

```text
lane     0        8
sector   ABCDEFGH IJKLMNOP
```

32 when `h >= 8` · fewer below
Runs once per warp

| metric  | per warp |
|---------|---------:|
| sectors |        8 |

**Where it goes**
1. [line 19](file:///a.cu#L19) `tile[x][y]`: 32-way conflict
   Fix: pad it
2. line 15
"""


def test_lines_of_prose_stay_apart_and_nothing_else_changes() -> None:
    broken = with_hard_breaks(CARD).split("\n")
    assert [line.rstrip() for line in broken] == CARD.split("\n")
    kept = [line.strip() for line in broken if line.endswith("  ")]
    assert kept == [
        "32 when `h >= 8` · fewer below",
        "**Where it goes**",
        "1. [line 19](file:///a.cu#L19) `tile[x][y]`: 32-way conflict",
        "Fix: pad it",
    ]


def test_what_was_wrapped_is_one_paragraph() -> None:
    for width in range(20, 160, 7):
        parts = [
            "word " * (width // 5),
            f"a [link {width}](file:///somewhere/far/away.cu#L3) and `some code`",
            "the end",
        ]
        text = wrapped([part.strip() for part in parts], "Assumes: ")
        assert all(seen(line) <= COLUMNS for line in text.split("\n"))
        assert with_hard_breaks(text) == text
        assert with_hard_breaks(f"{text}\nNext") == f"{text}  \nNext" or seen(text.split("\n")[-1]) + 7 > COLUMNS
