"""Functions of libraries that leave rising numbers in an array, by name and by what they do.

Asked by whoever decides which functions of the host are read (host_bodies.py), and by whoever reads them (program/host/host_orders.py, program/host/host_fills.py).
"""

from __future__ import annotations

FILLED = frozenset({"sequence", "iota"})
SORTED = frozenset({"sort", "stable_sort", "sort_by_key", "stable_sort_by_key"})
SCANNED = frozenset({"inclusive_scan", "exclusive_scan", "partial_sum"})
KEPT = frozenset({"unique", "remove_if", "unique_by_key"})
COPIED = frozenset({"copy_if", "unique_copy", "remove_copy_if"})
DEVICE_WIDE = frozenset({"InclusiveSum", "ExclusiveSum", "InclusiveScan", "ExclusiveScan", "SortKeys", "SortPairs"})
"""Functions of CUB, which leave their fourth argument in order: behind the two that tell the storage they use, and what they read."""

APPENDED = frozenset({"push_back", "emplace_back"})
"""These only add an element: what they add decides."""

ORDERING = FILLED | SORTED | SCANNED | KEPT | COPIED | DEVICE_WIDE
"""All that put something in order by themselves."""
