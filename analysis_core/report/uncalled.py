"""Kernels that no run reaches: only functions launch them that nothing calls.

    __global__ void scan_v2(..) { .. }
    __global__ void scan_v3(..) { .. }
    void scan_fast(..) { scan_v3<<<blocks, 256>>>(..); }    // another way, which nobody goes
    int main() { scan_v2<<<blocks, 256>>>(..); }

Whoever wrote such a launch saw the findings then: they are hints, in a program whose `main` is there.  A call that conditionals leave out by macros of the
file itself or its headers is none.  Hovers and the line above the kernel tell everything as ever.

It is read off the text alone (syntax/lex/mentions.py), so that a keystroke elsewhere makes no kernel's report stale, and of source files that launch
something: a header belongs to programs that are not in view.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b

from analysis_core.profile.evidence import Evidence
from analysis_core.report.findings.model import KernelReport, Level, Reason
from analysis_core.report.findings.program_gates import through
from analysis_core.support.files import SOURCES
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.support.store import Stage, Store
from analysis_core.syntax.lex.left_out import as_written
from analysis_core.syntax.lex.mentions import code_of, mentions_in, unreached
from analysis_core.syntax.read.beyond import Beyond
from analysis_core.text.span import FileId

Idle = Mapping[str, str]
"""Kernels that only functions launch which nothing calls, with one such function each."""

IDLE: Stage[tuple[object, ...], tuple[Mapping[str, bytes], Idle]] = Stage("kernels that nothing calls", 24)
"""By the code of a file and what else is asked, with the headers that were read for it."""


def quiet_where_uncalled(
    path: str,
    kernels: Iterable[KernelReport],
    dependencies: Collection[str],
    beyond: Beyond,
    sources: Sources,
    settings: Settings,
    store: Store | None = None,
) -> tuple[KernelReport, ...]:
    """The kernels of a file, where findings of kernels that only uncalled functions launch are hints.  `store`: where that is for codes
    that were asked about before."""
    kept = tuple(kernels)
    asked = frozenset(kernel.name for kernel in kept if any(finding.share is not None for finding in kernel.findings))
    if not asked or not path.endswith(SOURCES):
        return kept
    code = code_of(sources.index(FileId(path)).data)
    if b"<<<" not in code or b"##" in code:
        return kept  # launched elsewhere, or by names that are put together
    store = store if store is not None else Store()
    key = path, asked, blake2b(_without_blanks(code)).digest(), tuple(dependencies), beyond.mentions, repr(settings)

    def text(other: str) -> bytes:
        return sources.index(FileId(other)).data

    known = store.get(IDLE, key, lambda known: all(text(other) == data for other, data in known[0].items()))
    if known is None:
        read: dict[str, bytes] = {}

        def header(other: str) -> bytes | None:
            """A header, read only where a kernel may be one of these: a report is made after each keystroke."""
            return read.setdefault(other, text(other)) if other in dependencies else None

        whole = as_written(path, text(path), code, settings.defines, settings.include_paths, header)
        included = (read.setdefault(other, text(other)) for other in dependencies if other != path)
        known = read, _called_by_nothing(asked, whole, included, beyond)
        store.put(IDLE, key, known)
    return tuple(replace(k, findings=through(_reason(known[1].get(k.name)), k.findings)) for k in kept)


def _without_blanks(code: bytes) -> bytes:
    """Code without what comments leave behind; a line that may go on in the next one is left alone."""
    lines = (line if line.rstrip().endswith(b"\\") else line.strip() for line in code.split(b"\n"))
    return b"\n".join(filter(None, lines))


def _reason(caller: str | None) -> Reason | None:
    said = f"launched by {caller}, which nothing calls"
    return None if caller is None else Reason("reach", Evidence.PATTERN, said, True, Level.HINT)


def _called_by_nothing(asked: Collection[str], code: bytes, included: Iterable[bytes], beyond: Beyond) -> Idle:
    """Of these kernels those that nobody is known to run."""
    if beyond.mentions is None or not ("main" in beyond.mentions or _occurs("main", code)):
        return {}
    left = unreached(code, beyond.mentions) or {}
    if asked & left.keys():
        mentioned = [mentions_in(code_of(text)) for text in included if any(_occurs(name, text) for name in left)]
        left = unreached(code, {*beyond.mentions, *frozenset[str]().union(*mentioned)}) or {}
    found: dict[str, str] = {}
    for name in asked & left.keys():
        callers = [other for other, words in left.items() if other != name and name in words]
        found.update({name: callers[0]} if callers else {})
    return found


def _occurs(name: str, text: bytes) -> bool:
    """Whether the word is in a text."""
    word = name.rpartition("::")[2].encode()
    return word in text and re.search(rb"\b" + re.escape(word) + rb"\b", text) is not None
