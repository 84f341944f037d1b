"""Kernels by the names that a profiler has for them: with return type, template arguments and parameters, in namespaces, or mangled."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis_core.report.findings.model import KernelReport

_UNNAMED = re.compile(r"\(anonymous namespace\)::|<unnamed>::|\(anonymous class\)::")
_CAST = re.compile(r"\((?:unsigned |signed )?[A-Za-z_][\w: ]*\)(?=[-\w(])")


def matching(name: str, kernels: Sequence[KernelReport]) -> KernelReport | None:
    """The kernel of that name; of several instantiations the one with these arguments, or the only one."""
    base, arguments = taken_apart(name)
    named = [kernel for kernel in kernels if taken_apart(kernel.instantiation or kernel.name)[0] == base]
    same = [kernel for kernel in named if taken_apart(kernel.instantiation or kernel.name)[1] == arguments]
    return same[0] if same else named[0] if len(named) == 1 else None


def taken_apart(name: str) -> tuple[str, str]:
    """The last part of a name, and its template arguments without spaces and casts: ("scale", "32,float") of "void ns::scale<(int)32, float>(float *)"."""
    if name.startswith("_Z"):
        return _mangled(name), ""
    text = _UNNAMED.sub("", name)
    depth, start, end, first = 0, 0, len(text), -1
    for place, letter in enumerate(text):
        if letter == "<":
            first = place if depth == 0 else first
            depth += 1
        elif letter == ">":
            depth = max(0, depth - 1)
        elif depth == 0 and letter == "(":
            end = place
            break
        elif depth == 0 and (letter.isspace() or text[place - 1 : place + 1] == "::"):
            start, first = place + 1, -1
    head = text[start:end].strip()
    if first < start:
        return head, ""
    inside = text[first + 1 : end].strip().removesuffix(">")
    return text[start:first].strip(), _CAST.sub("", inside).replace(" ", "")


def _mangled(name: str) -> str:
    """The last name of those that are nested, each behind its length."""
    place, last = (3 if name.startswith("_ZN") else 2), ""
    while (length := re.match(r"\d{1,4}", name[place:])) is not None:
        start = place + len(length[0])
        last, place = name[start : start + int(length[0])], start + int(length[0])
    return last
