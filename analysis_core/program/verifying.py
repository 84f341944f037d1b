"""Parts of the host that only verify what a program does, told by their names: a function that is called so, or what stands below a flag.

    void verify(const float *p, int n) { by_one_thread<<<1, 1>>>(p, n); }
    long reference_sum(..) { one_by_one<<<blocks, 256>>>(..); }
    if (autoTest) { heights_of_test<<<grid, block>>>(..); }

The name says so by one of its words (split at underscores and capitals).  Tests and checks are what flags ask for, not what functions are called
after: `runTest` is where many a program does its work.  A flag is a variable by itself (`verify`, `verify != 0`, `verify && n > 0`): `test == 3`
chooses one of several things that the program is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import uncast
from analysis_core.text.span import Span

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_VERIFIES = frozenset({"reference", "verify", "verifies", "verification", "validate", "validation", "golden"})
_ASKS = _VERIFIES | {"test", "check", "debug"}
_OTHERWISE = frozenset({"no", "not", "skip", "without", "section", "ratio"})
"""Words beside which those say something else: what is not verified, and the golden section."""


def verifying_parts(function: syn.FunctionDecl, nodes: Iterable[syn.Node]) -> Sequence[tuple[Span, str]]:
    """The parts of a function that only verify, with the name that says so.  `nodes`: all of its body."""
    if _says(function.name, _VERIFIES):
        return ((function.span, function.name),)
    flags = ((node.then.span, _flag(node.condition)) for node in nodes if isinstance(node, syn.If))
    return tuple((span, flag) for span, flag in flags if flag)


def _flag(condition: syn.Expr) -> str:
    """The variable that asks for a test, in what has to hold; "" where none does."""
    return next((name for name in _asked(condition) if _says(name, _ASKS)), "")


def _asked(condition: syn.Expr) -> Iterator[str]:
    """The variables that have to be something else than zero or false."""
    match uncast(condition):
        case syn.Name(name=name) | syn.Member(name=name):
            yield name.rpartition("::")[2]
        case syn.Binary(op="&&", left=left, right=right):
            yield from (*_asked(left), *_asked(right))
        case syn.Binary(op="!=" | ">", left=left, right=syn.Literal(text="0" | "false")):
            yield from _asked(left)
        case syn.Binary(op="==", left=left, right=syn.Literal(text="true")):
            yield from _asked(left)
        case _:
            pass


def _says(name: str, words: frozenset[str]) -> bool:
    said = {word.lower() for word in _WORD.findall(name)}
    return not said.isdisjoint(words) and said.isdisjoint(_OTHERWISE)
