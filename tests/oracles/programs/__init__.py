"""Random C++ for readers to agree on: records, overloads, templates, classes, constant expressions.

    program(17)    always the same text for the same number

Every function is `FN`: constant expressions to clang, device functions to us; `CF` is constant to both, `DF` is nobody's.  What is asked of a program are the
values of its queries, functions `long long q()`; which of them are C++ at all clang decides.
"""

from __future__ import annotations

import random

from tests.oracles.programs import classes, constants, overloads, records, templates
from tests.oracles.programs.text import Program, Query

TOPICS = {
    "records": records.write,
    "overloads": overloads.write,
    "templates": templates.write,
    "classes": classes.write,
    "constants": constants.write,
}

__all__ = ["TOPICS", "Program", "Query", "program"]


def program(seed: int) -> Program:
    """The program of this number; topics take turns."""
    topic = list(TOPICS)[seed % len(TOPICS)]
    written = TOPICS[topic](random.Random(seed))
    return Program(seed, topic, tuple(written.lines), tuple(written.queries), tuple(written.layouts))
