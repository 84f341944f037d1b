"""Questions about a kernel that several rules ask, or both steps of an analysis: each is answered once.

Only functions of the IR alone may be marked, and what they answer is changed by nobody.  Answers lie with the kernel
(`Kernel.answers`), and an edit makes another one, so that nothing has to be forgotten.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from analysis_core.ir.nodes import Kernel

T = TypeVar("T")


def once(make: Callable[[Kernel], T]) -> Callable[[Kernel], T]:
    """Makes a function of a kernel compute its answer once per kernel, at the first call."""

    @wraps(make)
    def asked(kernel: Kernel) -> T:
        answers = kernel.answers
        if make not in answers:
            answers[make] = make(kernel)
        answer: T = answers[make]
        return answer

    return asked
