"""What the process ends with."""

from __future__ import annotations

CLEAN, FOUND, BROKEN, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses: nothing to tell; findings; wrong use or an internal error; Ctrl-C."""

REFUSED = 3
"""A refactoring that is not done, and why."""
