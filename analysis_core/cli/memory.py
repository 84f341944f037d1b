"""How much memory this process took at most since some moment: what Linux tells, nothing elsewhere."""

from __future__ import annotations

import re
from contextlib import suppress


def forget_peak() -> None:
    """From now on the peak counts afresh."""
    # "5" resets the high-water mark (proc_pid_clear_refs); where it cannot be reset, the peak is that of the whole run.
    with suppress(OSError), open("/proc/self/clear_refs", "w", encoding="ascii") as file:
        file.write("5")


def peak_megabytes() -> float | None:
    """The greatest resident memory since then, in MB; None where the system does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            match = re.search(r"VmHWM:\s*([0-9]+) kB", file.read())
    except OSError:
        return None
    return None if match is None else int(match[1]) / 1024
