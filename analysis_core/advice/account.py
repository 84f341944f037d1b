"""What advising one file may take, counted: each shape is a text of its own to read and to analyse, and some are run.

What is left is looked at in the order of the file; the rest says that it was not.
"""

from __future__ import annotations

from dataclasses import field

from analysis_core.text.records import dataclass

READING = 1
"""For each byte of a text that is read: some six microseconds."""

COSTING = 2_000
"""For each access and branch of a kernel whose costs are worked out once more."""

_WORK = 8_000_000
_STATEMENTS = 40_000

SPENT = "not looked at: what came before took all the work that one run may do; name the kernel with --kernel"
NOT_RUN = "the runs before took all that one call may run; name the kernel with --kernel"


@dataclass(slots=True)
class Account:
    """`work`: for reading and costing; `statements`: for runs, each once for all threads that run together."""

    work: int = field(default=_WORK)
    statements: int = field(default=_STATEMENTS)

    def is_spent(self) -> bool:
        """Whether nothing more is to be read."""
        return self.work <= 0
