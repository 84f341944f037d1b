"""A network of one's own: a namespace with nothing but loopback, in which a request to anywhere else is refused and counted."""

from __future__ import annotations

LOOPBACK = ("unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
"""Runs the command that follows in such a namespace."""

ALONE = {"WARPCOST_LOOPBACK": "1"}
"""Tells a session that it runs there: at its end it looks at the kernel's counts of refused requests."""
