"""The fix of an array in local memory whose index counts a loop that compilers do not write out: `#pragma unroll` before that loop.

The pragma changes no result.  Whether the array is in registers then is not decided here but tried: the caller analyses the edited text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from analysis_core.ir.nodes import Kernel, Loop
from analysis_core.ir.walk import statements_of
from analysis_core.report.findings.model import Edit
from analysis_core.text.span import Span

PRAGMA = "#pragma unroll"

_INDENT = re.compile(rb"(?:^|\n)([ \t]*)$")


def unrolled(loop: Span, text: bytes) -> Edit | str:
    """The edit that puts the pragma on a line before the loop, indented as it is; why there is none."""
    match = _INDENT.search(text[: loop.start])
    if match is None:
        return "the loop does not stand on a line of its own"
    indent = match[1].decode("ascii")
    return Edit(Span(loop.file, loop.start, loop.start), f"{PRAGMA}\n{indent}")


def said_of(loop: Span, kernels: Iterable[Kernel]) -> Sequence[int]:
    """What pragmas before the loop say of unrolling it, in each kernel that it is in; 0 for no number."""
    found = (stmt for kernel in kernels for stmt in statements_of(kernel) if isinstance(stmt, Loop))
    return [stmt.unroll for stmt in found if stmt.whole == loop and stmt.unroll is not None]


def title(names: Sequence[str]) -> str:
    """ "Unroll the loop: `a` can stay in registers"."""
    return f"Insert `{PRAGMA}`: {' and '.join(f'`{name}`' for name in names)} can stay in registers"
