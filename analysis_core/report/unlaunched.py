"""Kernels that nobody runs: they stand beside launches of others, and nothing names them.

    __global__ void scan_v1(..) { .. }          // what came before, and was never taken out
    __global__ void scan_v2(..) { .. }
    int main() { scan_v2<<<blocks, 256>>>(..); }

What such a kernel might cost, with a block that we guess, at sizes and contents that no launch says anything of, is no reason to mend it.
Somebody may be writing it, though, and its launch is what comes last.  So what is dear for certain stays, as information that says how it is;
hovers and the line above the kernel tell everything as ever.

Whether it is launched is read off the text alone, so that a keystroke elsewhere makes no kernel's report stale: a source file that launches
something, where the kernel's name occurs once in it and nowhere in what it includes, nor in what includes it.  A header, or a file that
launches nothing, belongs to programs that are not in view.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from analysis_core.report.model import Finding, KernelReport, Level, Verdict
from analysis_core.report.wording import joined
from analysis_core.support.settings import Settings
from analysis_core.text.sources import Sources
from analysis_core.text.span import FileId

NOT_LAUNCHED = "not launched here"

_SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c")

_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.DOTALL)


def quiet_where_unlaunched(
    path: str, kernels: Iterable[KernelReport], dependencies: Collection[str], sources: Sources, settings: Settings
) -> tuple[KernelReport, ...]:
    """The kernels of a file; of those that nobody runs, what is dear for certain is left."""
    kept = tuple(kernels)
    asked = {k.name for k in kept if k.unlaunched and any(f.share is not None for f in k.findings)}
    if not asked or not path.endswith(_SOURCES) or b"<<<" not in sources.index(FileId(path)).data:
        return kept
    own = _COMMENT.sub(b" ", sources.index(FileId(path)).data)
    if b"<<<" not in own or b"##" in own:
        return kept  # launched by names that are put together
    dead = {name for name in asked if _count(name, own) == 1}
    for other in dependencies:
        if dead and other != path:
            text = sources.index(FileId(other)).data
            dead = {name for name in dead if not _count(name, text)}
    return tuple(_quiet(k, settings) if k.unlaunched and k.name in dead else k for k in kept)


def _count(name: str, text: bytes) -> int:
    """How often the word occurs."""
    word = name.rpartition("::")[2].encode()
    return len(re.findall(rb"\b" + re.escape(word) + rb"\b", text)) if word in text else 0


def _quiet(kernel: KernelReport, settings: Settings) -> KernelReport:
    told = (f if f.share is None else _said(f) for f in kernel.findings if f.share is None or _is_sure(f, settings))
    return replace(kernel, findings=tuple(told))


def _is_sure(finding: Finding, settings: Settings) -> bool:
    """Whether it would be a warning if a launch stated the block."""
    dear = not finding.worst or finding.worst >= settings.warning_factor * max(1, finding.ideal)
    return finding.verdict is Verdict.FAILS and (finding.share or 0.0) >= settings.warning_share and dear


def _said(finding: Finding) -> Finding:
    return replace(finding, level=Level.INFORMATION, message=joined(finding.message, NOT_LAUNCHED))
