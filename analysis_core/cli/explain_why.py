"""`explain --why LINE`: what was asked about each access and branch of a line, in order, with the answers,
and the level that each leaves at most.

    a.cu:12:9: `b[8*i]` of kernel k, block 256
      WC101 uncoalesced-access begins at warning
        no    one lane (proved): a single lane makes the request: its sector is the ideal
        yes   memory decides (pattern): what it costs depends on data, and may be little -> information
        -     assumed block (default): no launch in view says the shape of the block, and another one might cost less
      reported as information

A dash stands before what did not matter any more.  Accesses at their ideal are asked nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.cli.work import Task
from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline.pipeline import analyse_kernel, assemble, load
from analysis_core.report.checks.registry import check_of
from analysis_core.report.findings.model import Asked, FileReport, KernelReport, Level, Reason
from analysis_core.report.findings.reasons import block_text
from analysis_core.report.judge import Judgement, judge
from analysis_core.requests.facts import KernelFacts
from analysis_core.support.files import Files
from analysis_core.support.sources import Sources
from analysis_core.text.span import Span


def why_text(task: Task, line: int, files: Files | None = None, name: str | None = None) -> Iterator[str]:
    """The lines to print for one line of the file (from 1), each with its newline.  `files`: what is read, if not the task's own; `name`: what
    the file is called in the text."""
    files, name = files or task.files(), name or task.path
    sources = Sources(files)
    tree, module = load(task.path, files, task.settings, units=task.units)
    reports = tuple(analyse_kernel(kernel, task.settings, sources) for kernel in module.kernels)
    report = assemble(task.path, tree, reports, sources, task.settings, module.rejected)
    found = False
    for kernel, analysed in zip(module.kernels, reports, strict=True):
        if kernel.span.file == task.path and task.kernel in (None, kernel.name, kernel.instantiation):
            for facts, judged in _judged(kernel, analysed, task):
                for text in _of_launch(kernel, facts, judged, report, line, task, sources, name):
                    found = True
                    yield f"{tree.hidden.shown(text)}\n"
    if not found:
        yield f"{name}:{line}: no access or branch of a kernel begins on this line\n"


def _judged(kernel: Kernel, analysed: KernelReport, task: Task) -> Iterator[tuple[KernelFacts, Judgement]]:
    """Each launch, judged once more: a report keeps only the answers that changed a level."""
    for launch in analysed.launches:
        yield launch.facts, judge(kernel, launch.profile, task.settings)


def _of_launch(
    kernel: Kernel,
    facts: KernelFacts,
    judged: Judgement,
    report: FileReport,
    line: int,
    task: Task,
    sources: Sources,
    name: str,
) -> Iterator[str]:
    def is_here(span: Span) -> bool:
        return span.file == task.path and sources.line(span) == line

    def head(span: Span, text: str) -> str:
        at, column = sources.position(span)
        return f"{name}:{at}:{column}: `{text}` of kernel {kernel.instantiation or kernel.name}, {block_text(facts)}"

    asked = sorted((one for one in judged.asked if is_here(one.span)), key=lambda one: one.span.start)
    for one in asked:
        yield head(one.span, one.text)
        yield from _answers(one)
        yield f"  {_outcome(one, judged, report, task, sources)}"
    about = {(one.span, one.text) for one in asked}
    for access in facts.accesses:
        if is_here(access.span) and (access.span, access.text) not in about:
            yield head(access.span, access.text)
            unit = "not counted" if access.worst == 0 else f"{access.worst} per request, the ideal"
            yield f"  {unit}: nothing is asked"


def _answers(one: Asked) -> Iterator[str]:
    check = check_of(one.code)
    name = "" if check is None else f" {check.name} begins at {check.level.value}"
    yield f"  {one.code}{name}"
    yield from (f"    {_answer(reason)}" for reason in one.reasons)


def _answer(reason: Reason) -> str:
    answer = {True: "yes", False: "no", None: "-"}[reason.holds]
    after = f" -> {_level(reason.level)}" if reason.holds else ""
    numbers = f" ({reason.because})" if reason.because else ""
    return f"{answer:5} {reason.gate} ({reason.evidence.name.lower()}): {reason.text}{numbers}{after}"


def _outcome(one: Asked, judged: Judgement, report: FileReport, task: Task, sources: Sources) -> str:
    """What became of it where the file's report was put together."""
    if one.level is None:
        return "silent"
    if one.along is not None:
        return f"{_level(one.level)}, reported at line {sources.line(one.along)} with what has the same cause"
    shown = [f for f in report.findings if f.check == one.code and f.span == one.span]
    reasons: Sequence[Reason] = [r for f in (*shown, *judged.findings) if f.span == one.span for r in f.reasons]
    because = "".join(f"; {_answer(reason)}" for reason in dict.fromkeys(reasons))
    if shown:
        return f"reported as {shown[0].level.value}{because}"
    if any(reason.level is Level.HINT for reason in reasons) or one.level is Level.HINT:
        hints = "" if task.settings.hints else ", which --hints shows"
        return f"hint{hints}{because}"
    return f"{_level(one.level)}, silenced by a comment, a setting, or a louder finding of the same statement{because}"


def _level(level: Level | None) -> str:
    return "silent" if level is None else level.value
