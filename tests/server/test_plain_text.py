"""Code in texts for places without Markdown."""

from __future__ import annotations

import pytest

from lsp_server.plain_text import plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("`x` is computed from threadIdx.x", "'x' is computed from threadIdx.x"),
        ("Pad `tile` to [32][33]: `w` and `h`", "Pad 'tile' to [32][33]: 'w' and 'h'"),
        ("`c == 'a'` decides", "\"c == 'a'\" decides"),
        ("no code", "no code"),
        ("one ` alone\nand one ` more", "one ` alone\nand one ` more"),
    ],
)
def test_code_stands_in_quotes(text: str, shown: str) -> None:
    assert plain(text) == shown
