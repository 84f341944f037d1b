"""Findings that came and went.

A finding is the one of before that has its fingerprint (as in a baseline: `check --baseline`).  The fingerprint knows the name of the
kernel and the text of the line; so within kernels that are the same in spite of a new name, or where the line was edited, a finding of
the same rule about the same access or test is the same one, too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from analysis_core.changes.sides import Found


def came_and_went(before: Sequence[Found], after: Sequence[Found]) -> tuple[tuple[Found, ...], tuple[Found, ...]]:
    """The findings of one kernel, or of all files, that are new, and those that are gone."""
    went, came = list(before), list(after)
    keys: tuple[Callable[[Found], Hashable], ...] = (
        lambda one: one.fingerprint,
        lambda one: (one.code, one.subject) if one.subject else id(one),
        lambda one: (one.code, one.message),
    )
    for key in keys:
        known = dict[Hashable, list[Found]]()
        for one in went:
            known.setdefault(key(one), []).append(one)
        came, rest = [], came
        for one in rest:
            same = known.get(key(one))
            if same:
                went.remove(same.pop(0))
            else:
                came.append(one)
    return tuple(came), tuple(went)
