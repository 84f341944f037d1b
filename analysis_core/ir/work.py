"""How much work a kernel's lowering may take: templates, calls and initialisers that multiply end, whatever each of them is limited to.

template <int N> struct F { static const int v = F<N - 1>::v + F<N - 2>::v; };     nothing ends this; a compiler stops at some depth
"""

from __future__ import annotations

MOST_STEPS = 250_000
"""Expressions, types and statements that one kernel is lowered from, each as often as it is; large public kernels take 60,000.
What a file launches is sought with four times as many."""

MOST_FIELDS = 4_096
"""Members of a record, those of its bases among them, and variables that one of a record's type is split into."""


class TooMuchWork(Exception):
    """Raised for a kernel that expands into more than anybody can wait for; the text says what was too much."""
