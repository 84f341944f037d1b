"""The table of contents as code: one call per stage, each output a named type.

    text -> SyntaxTree -> IrModule -> (per kernel and launch) Events -> KernelFacts -> findings -> FileReport

Stages are imported where they are called, so that the command line pays only for what it uses.  This is also the
one edge at which a bug of ours is turned into data: any exception in the analysis of a kernel becomes a WC900 finding
of that kernel, is logged with its traceback, and the other kernels keep their results.  `strict` lets it through;
tests use that.
"""

from __future__ import annotations

import logging
import posixpath
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from analysis_core.ir.launch_site import is_assumed, made_launches
from analysis_core.ir.nodes import IrModule, Kernel
from analysis_core.pipeline.clock import Clock
from analysis_core.pipeline.further_launches import with_further
from analysis_core.pipeline.launch_stages import bound_launch, cost_launch, may_race, race_launch
from analysis_core.profile.launch_work import work_of_any
from analysis_core.program.launch import choose_launches
from analysis_core.report.checks.bad_annotation import findings_of
from analysis_core.report.checks.budget_exceeded import CODE as BUDGET_EXCEEDED
from analysis_core.report.checks.idle_barrier import needed, needed_nowhere
from analysis_core.report.checks.not_analysed import CODE as NOT_ANALYSED
from analysis_core.report.checks.not_analysed import internal_error, not_read, unreadable
from analysis_core.report.checks.suppression import Used, applied, suppressions_in, unused_findings
from analysis_core.report.findings.model import FileReport, Finding, KernelReport, LaunchReport
from analysis_core.report.findings.program_gates import beside_others
from analysis_core.report.instantiations import instantiated, told_apart
from analysis_core.report.judge import judge, ordered, worst_of_kernels, worst_per_statement
from analysis_core.report.levels import reported, with_levels
from analysis_core.report.spelled import with_lines, with_texts
from analysis_core.report.statements import statement_start
from analysis_core.report.trip_names import named_by_line
from analysis_core.report.uncalled import quiet_where_uncalled
from analysis_core.support.files import Files
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.support.store import Store
from analysis_core.text.span import FileId, Span

if TYPE_CHECKING:
    from analysis_core.pipeline.checked_fixes import Place
    from analysis_core.profile.access_profile import KernelProfile
    from analysis_core.program.launch import Launch
    from analysis_core.syntax.read.annotation_tree import Misstatement
    from analysis_core.syntax.read.tree import FunctionDecl, SyntaxTree

_LOG = logging.getLogger("warpcost")

_SAID_ONCE = frozenset({NOT_ANALYSED, BUDGET_EXCEEDED})
"""Rules that say the same of several kernels once."""


def analyse_file(
    path: str,
    files: Files,
    settings: Settings,
    *,
    kernel: str | None = None,
    last_good: bytes | None = None,
    units: tuple[str, ...] = (),
    strict: bool = False,
    fixes: bool = False,
    store: Store | None = None,
) -> FileReport:
    """All findings of one file.  Raises nothing unless `strict`.

    `kernel`: only kernels of this name (or instantiation).  `last_good`: the file's text when it last parsed without
    problems, which helps to repair a line that is being typed.  `units`: files that include this one, to be read in
    its place for their macros, types and launches (syntax/units.py).  `fixes`: look for fixes of findings, which takes the
    analysis of some kernels once more.  `store`: what was kept of analyses before; it changes no result."""
    clock = Clock()
    clock.lap("start")
    store = store if store is not None else Store()
    try:
        tree, module = load(
            path, files, settings, units=units, last_good=last_good, clock=clock, strict=strict, store=store
        )
    except Exception as error:
        if strict:
            raise
        failure = describe_failure(error)
        _LOG.error("internal error while reading %s: %s", path, failure, exc_info=error)
        return unreadable(path, failure)
    chosen = [k for k in module.kernels if kernel is None or kernel in (k.name, k.instantiation)]
    sources = Sources(files)
    reports = tuple(analyse_kernel(k, settings, sources, clock, store, strict=strict) for k in chosen)
    report = assemble(path, tree, reports, sources, settings, module.rejected)
    clock.lap("report")
    if fixes:
        from analysis_core.pipeline.checked_fixes import Place

        report = _fixed(report, chosen, Place(path, files, settings, units, store), sources, strict)
        clock.lap("fixes")
    return replace(report, times=clock.times())


def load(
    path: str,
    files: Files,
    settings: Settings,
    *,
    units: tuple[str, ...] = (),
    last_good: bytes | None = None,
    clock: Clock | None = None,
    strict: bool = False,
    store: Store | None = None,
) -> tuple[SyntaxTree, IrModule]:
    """Text to syntax and IR: through those units that hold kernels of the file, else the file alone."""
    clock = clock or Clock()

    def reading(unit: str) -> SyntaxTree:
        tree = read(unit, files, settings, store=store)
        clock.lap("syntax")
        return tree

    def lowering(tree: SyntaxTree) -> IrModule:
        module = lower(tree, settings, strict)
        clock.lap("ir")
        return module

    found = load_through(path, units, reading, lowering)
    if found is not None:
        return found
    tree = read(path, files, settings, last_good, store)
    clock.lap("syntax")
    return tree, lowering(tree)


def load_rest() -> None:
    """Imports modules that are otherwise imported at their first use. To be called once, at a time when no job can be
    given up."""
    from analysis_core.pipeline import checked_fixes as checked_fixes
    from analysis_core.program import united as united
    from analysis_core.races import barriers as barriers
    from analysis_core.races import decide as decide
    from analysis_core.races import misuse as misuse
    from analysis_core.races import runs as runs
    from analysis_core.syntax.read import named_items as named_items


def load_through(
    path: str,
    units: Sequence[str],
    read: Callable[[str], SyntaxTree],
    lower: Callable[[SyntaxTree], IrModule],
) -> tuple[SyntaxTree, IrModule] | None:
    """The kernels of a file as the units that include it see them, with the launches of all units; None if no unit has
    any.

    The tree is that of the first unit; it also lists the files that the other units were read from."""
    from analysis_core.program.united import united

    if posixpath.normpath(path) != path:
        return None
    found: list[tuple[SyntaxTree, IrModule]] = []
    for unit in units:
        tree = read(unit)
        if path in tree.dependencies:
            tree = replace(tree, main=path)
            module = lower(tree)
            if module.kernels:
                found.append((tree, module))
    if not found:
        return None
    trees = [tree for tree, _ in found]
    dependencies = tuple(dict.fromkeys(name for tree in trees for name in tree.dependencies))
    missing = tuple(dict.fromkeys(name for tree in trees for name in tree.missing))
    refused = tuple(dict.fromkeys(name for tree in trees for name in tree.refused))
    unread = tuple(dict.fromkeys(text for tree in trees for text in tree.unread))
    beside = tuple(dict.fromkeys(name for tree in trees for name in tree.beside))
    found_in = replace(trees[0], dependencies=dependencies, missing=missing, beside=beside)
    first = replace(found_in, refused=refused, unread=unread)
    return first, united([module for _, module in found])


def read(
    path: str, files: Files, settings: Settings, last_good: bytes | None = None, store: Store | None = None
) -> SyntaxTree:
    """Text to syntax, with what other files of the program say of it; never fails on user code."""
    from analysis_core.program.other_files import joined
    from analysis_core.syntax.parse import parse_unit

    store = store if store is not None else Store()
    unit = parse_unit(path, files, settings, last_good, store)
    return joined(unit, files, settings, store).tree


def lower(tree: SyntaxTree, settings: Settings, strict: bool = False) -> IrModule:
    """Syntax to IR; what is not understood becomes `Unknown`, and so does, unless `strict`, a kernel that an error of
    ours costs."""
    from analysis_core.program.lower import lower as lower_tree

    return lower_tree(tree, settings, None if strict else log_bug)


def log_bug(declaration: FunctionDecl, error: Exception) -> None:
    _LOG.error("internal error in kernel %s: %s", declaration.name, describe_failure(error), exc_info=error)


def analyse_kernel(
    kernel: Kernel,
    settings: Settings,
    sources: Sources,
    clock: Clock | None = None,
    store: Store | None = None,
    *,
    strict: bool = False,
) -> KernelReport:
    """One kernel under all its launch configurations.  `sources`: the texts, for names and for what is quoted; `store`: what was
    kept of analyses before.

    Statements are not known here: findings are merged and suppressed per file by `assemble`."""
    started = perf_counter()
    clock = clock or Clock()
    try:
        launches = choose_launches(kernel, settings)
        clock.lap("launch")
        reports = tuple(analyse_launch(kernel, launch, settings, sources, clock, store) for launch in launches)
    except Exception as error:
        if strict:
            raise
        return failed_report(kernel, error, perf_counter() - started)
    return kernel_report(kernel, reports, perf_counter() - started)


def analyse_launch(
    kernel: Kernel, launch: Launch, settings: Settings, sources: Sources, clock: Clock, store: Store | None = None
) -> LaunchReport:
    """One kernel under one launch configuration: interpret, evaluate, bound, look for races, judge."""
    costed = cost_launch(kernel, launch, settings, clock, store=store)
    bounded = settings.bounds and kernel.bounded
    profile = bound_launch(kernel, launch, costed, settings, clock, store) if bounded else costed.profile
    if bounded and may_race(kernel):
        profile = race_launch(kernel, launch, profile, costed.events, settings, clock)
    report = judge_launch(kernel, with_further(kernel, launch, profile, settings, store), settings, sources)
    clock.lap("report")
    return report


def judge_launch(kernel: Kernel, profile: KernelProfile, settings: Settings, sources: Sources) -> LaunchReport:
    """The profile in the words of the text, and what the rules find in them."""
    at_numbers = None if profile.at_numbers is None else _named(profile.at_numbers, sources)
    found = replace(_named(profile, sources), at_numbers=at_numbers)
    judged = judge(kernel, found, settings)
    asked = tuple(one.decisive for one in judged.asked)
    return LaunchReport(found, tuple(with_lines(one, sources) for one in judged.findings), asked, judged.divided)


def _named(profile: KernelProfile, sources: Sources) -> KernelProfile:
    """The profile with trip counts named after lines, and the texts of branches and places filled in."""
    return with_texts(named_by_line(profile, sources.line), sources)


def assemble(
    path: str,
    tree: SyntaxTree,
    kernels: tuple[KernelReport, ...],
    sources: Sources,
    settings: Settings,
    rejected: tuple[Misstatement, ...] = (),
    store: Store | None = None,
) -> FileReport:
    """Kernels to a file's report: at the levels of the settings, the worst finding per statement and rule, suppressions
    applied.

    `rejected`: annotations of the file that are about no kernel; `store`: where that is which needs not be found out again."""
    statement = _statement_of(sources)
    barriers = frozenset(span for k in kernels for span in k.needed)
    levelled = [(k, with_levels(needed_nowhere(k.findings, barriers), settings)) for k in kernels]
    merged = told_apart(
        [replace(k, findings=worst_per_statement(findings, statement)) for k, findings in levelled], statement
    )
    unread = not_read(path, tree.problems, sources.index(FileId(path)).data, kernels_of(tree))
    stray = with_levels((*findings_of(rejected), *unread), settings)
    everything = [*stray, *(finding for k in merged for finding in k.findings)]
    suppressions = suppressions_in(path, everything, sources)
    kept: list[KernelReport] = []
    used: Used = frozenset()
    for k in merged:
        findings, hit = applied(k.findings, suppressions, sources)
        used |= hit
        kept.append(replace(k, findings=findings))
    quiet = quiet_where_uncalled(path, kept, tree.dependencies, tree.beyond, sources, settings, store)
    kept = [replace(k, findings=reported(k.findings, settings)) for k in beside_others(quiet)]
    judged = [k.span for k in kept if k.failure is None]
    stray, hit = applied(stray, suppressions, sources)
    own = suppressions[FileId(path)]
    remarks = with_levels((*own.wrong, *unused_findings(own, used | hit, judged)), settings)
    findings = _in_order_of_kernels(kept, sources) + reported((*stray, *remarks), settings)
    report = FileReport(path, tuple(kept), findings, tree.dependencies, tree.missing, tree.problems, beside=tree.beside)
    return replace(report, left_out=tree.left_out)


def kernels_of(tree: SyntaxTree) -> tuple[Span, ...]:
    """Where kernels stand, in all files."""
    return tuple(d.span for d in tree.declarations if getattr(d, "is_kernel", False))


def _fixed(report: FileReport, kernels: Sequence[Kernel], place: Place, sources: Sources, strict: bool) -> FileReport:
    """The report with fixes; as it is if looking for them fails through a bug of ours."""
    from analysis_core.pipeline.checked_fixes import with_fixes

    try:
        return with_fixes(report, kernels, place, sources)
    except Exception as error:
        if strict:
            raise
        _LOG.error("internal error while looking for fixes in %s: %s", report.path, error, exc_info=error)
        return report


def describe_failure(error: BaseException) -> str:
    """ "ZeroDivisionError: division by zero", on one line and not too long."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:120]}" if text else type(error).__name__


def kernel_report(kernel: Kernel, launches: tuple[LaunchReport, ...], seconds: float) -> KernelReport:
    """The launches of a kernel, put together."""
    findings = ordered(dict.fromkeys(finding for report in launches for finding in report.findings))
    return _report(kernel, launches, findings, None, seconds)


def failed_report(kernel: Kernel, error: Exception, seconds: float) -> KernelReport:
    """What is left of a kernel that an error of ours cost."""
    failure = describe_failure(error)
    _LOG.error("internal error in kernel %s: %s", kernel.name, failure, exc_info=error)
    return _report(kernel, (), (internal_error(kernel.name_span, failure),), failure, seconds)


def _report(
    kernel: Kernel,
    launches: tuple[LaunchReport, ...],
    findings: tuple[Finding, ...],
    failure: str | None,
    seconds: float,
) -> KernelReport:
    known = (*kernel.unknowns, *(cause for launch in launches for cause in launch.facts.unknowns))
    return KernelReport(
        kernel.name,
        kernel.instantiation,
        kernel.span,
        kernel.name_span,
        launches,
        findings,
        tuple(dict.fromkeys(known)),
        failure,
        seconds,
        tuple(variable.name for variable in kernel.variables if variable.parameter),
        tuple(site.profile.executions for site in made_launches(kernel.launches)),
        work_of_any([launch.profile.work for launch in launches if launch.profile.work is not None]),
        all(is_assumed(launch.facts.source) for launch in launches),
        instantiated(launches),
        needed(kernel, [launch.profile.races for launch in launches]),
    )


def _statement_of(sources: Sources) -> Callable[[Span], tuple[str, int]]:
    """Names the statement that a span lies in by its file and first byte."""
    return lambda span: (span.file, statement_start(sources.index(span.file).data, span.start))


def _in_order_of_kernels(kernels: Iterable[KernelReport], sources: Sources) -> tuple[Finding, ...]:
    """One finding per statement and rule over all kernels, by kernel, those that are a greater part of their program first and then in source
    order, then as the kernels have them.

    Instantiations of a template and kernels that call one device function share statements; the worst is shown.  What
    is not analysed in several kernels for the same reason (a type that an absent include declares) is said once."""
    order: dict[Finding, tuple[float, int]] = {}
    said: set[tuple[str, str]] = set()
    for kernel in sorted(kernels, key=lambda kernel: kernel.span.start):
        place = -(1.0 if kernel.part is None else kernel.part), kernel.span.start
        for finding in kernel.findings:
            if finding.check in _SAID_ONCE and finding not in order:
                if (finding.check, finding.message) in said:
                    continue
                said.add((finding.check, finding.message))
            order[finding] = min(place, order.get(finding, place))
    worst = worst_of_kernels(order, _statement_of(sources))
    return tuple(sorted(worst, key=lambda finding: order[finding]))
