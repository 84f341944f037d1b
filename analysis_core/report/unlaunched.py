"""Kernels that nobody runs: nothing names them beside launches of others, or only functions do that nothing calls.

    __global__ void scan_v1(..) { .. }          // what came before, and was never taken out
    __global__ void scan_v2(..) { .. }
    __global__ void scan_v3(..) { .. }
    void scan_fast(..) { scan_v3<<<blocks, 256>>>(..); }    // another way, which nobody goes
    int main() { scan_v2<<<blocks, 256>>>(..); }

What such a kernel might cost is no reason to mend it.  Of `scan_v1` no launch says the block, the sizes and what is in the arrays; but
somebody may be writing it, and its launch is what comes last.  So what is dear for certain stays, as information that says how it is.  What
only functions launch that are never called, in a program whose `main` is there, are hints: whoever wrote the launch saw the findings then.  A call
that conditionals leave out by macros of the file itself or its headers is none.
Hovers and the line above the kernel tell everything as ever.

Whether it is launched is read off the text alone (syntax/lex/mentions.py), so that a keystroke elsewhere makes no kernel's report stale: a source file
that launches something, where the kernel's name occurs once in it and nowhere in what it includes, nor in what includes it.  A header, or a
file that launches nothing, belongs to programs that are not in view.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from analysis_core.report.findings.model import Finding, KernelReport, Level, Verdict
from analysis_core.report.findings.wording import joined
from analysis_core.support.files import SOURCES
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.syntax.lex.left_out import as_written
from analysis_core.syntax.lex.mentions import code_of, mentions_in, unreached
from analysis_core.syntax.read.beyond import Beyond
from analysis_core.text.span import FileId

NOT_LAUNCHED = "not launched here"


def quiet_where_unlaunched(
    path: str,
    kernels: Iterable[KernelReport],
    dependencies: Collection[str],
    beyond: Beyond,
    sources: Sources,
    settings: Settings,
) -> tuple[KernelReport, ...]:
    """The kernels of a file; of those that nobody runs, what is dear for certain is left, or all as hints."""
    kept = tuple(kernels)
    asked = {k.name for k in kept if any(f.share is not None for f in k.findings)}
    if not asked or not path.endswith(SOURCES):
        return kept
    code = code_of(sources.index(FileId(path)).data)
    if b"<<<" not in code or b"##" in code:
        return kept  # launched elsewhere, or by names that are put together

    def included() -> Iterator[bytes]:
        """Texts that are read only where a kernel may be one of these: a report is made after each keystroke."""
        return (sources.index(FileId(other)).data for other in dependencies if other != path)

    bare = {name for name in {k.name for k in kept if k.unlaunched} & asked if _count(name, code) == 1}
    bare = {name for name in bare if not any(_count(name, text) for text in included())}
    written = _as_written(path, code, dependencies, sources, settings) if asked - bare else code
    idle = _called_by_nothing(asked - bare, written, included, beyond)
    return tuple(_quiet(k, bare, idle, settings) for k in kept)


def _called_by_nothing(
    asked: Collection[str], code: bytes, included: Callable[[], Iterator[bytes]], beyond: Beyond
) -> Mapping[str, str]:
    """Of these kernels those that only functions launch which nothing calls, with one such function."""
    if beyond.mentions is None or not asked or not ("main" in beyond.mentions or _count("main", code)):
        return {}
    left = unreached(code, beyond.mentions) or {}
    if asked & left.keys():
        mentioned = [mentions_in(code_of(text)) for text in included() if any(_count(name, text) for name in left)]
        left = unreached(code, {*beyond.mentions, *frozenset[str]().union(*mentioned)}) or {}
    found: dict[str, str] = {}
    for name in asked & left.keys():
        callers = [other for other, words in left.items() if other != name and name in words]
        found.update({name: callers[0]} if callers else {})
    return found


def _as_written(path: str, code: bytes, dependencies: Collection[str], sources: Sources, settings: Settings) -> bytes:
    """The code of a file without what its conditionals leave out by macros that it defines, or what it includes."""

    def read(header: str) -> bytes | None:
        return sources.index(FileId(header)).data if header in dependencies else None

    text = sources.index(FileId(path)).data
    return as_written(path, text, code, settings.defines, settings.include_paths, read)


def _count(name: str, text: bytes) -> int:
    """How often the word occurs."""
    word = name.rpartition("::")[2].encode()
    return len(re.findall(rb"\b" + re.escape(word) + rb"\b", text)) if word in text else 0


def _quiet(kernel: KernelReport, bare: Collection[str], idle: Mapping[str, str], settings: Settings) -> KernelReport:
    if kernel.unlaunched and kernel.name in bare:
        told = (_informed(f) for f in kernel.findings if f.share is None or _is_sure(f, settings))
    elif kernel.name in idle:
        told = (_hinted(f, idle[kernel.name]) for f in kernel.findings)
    else:
        return kernel
    return replace(kernel, findings=tuple(told))


def _is_sure(finding: Finding, settings: Settings) -> bool:
    """Whether it would be a warning if a launch stated the block."""
    dear = not finding.worst or finding.worst >= settings.warning_factor * max(1, finding.ideal)
    return finding.verdict is Verdict.FAILS and (finding.share or 0.0) >= settings.warning_share and dear


def _informed(finding: Finding) -> Finding:
    if finding.share is None:
        return finding
    level = min(finding.level, Level.INFORMATION, key=lambda level: level.rank)
    return replace(finding, level=level, message=joined(finding.message, NOT_LAUNCHED))


def _hinted(finding: Finding, caller: str) -> Finding:
    if finding.share is None:
        return finding
    return replace(
        finding, level=Level.HINT, message=joined(finding.message, f"launched by {caller}, which nothing calls")
    )
