"""What the user gets: findings, facts with their bounds, and the three questions, as frozen values without terminal or protocol types.

Verdicts are kept for proved checks too, so that precision can be counted.  A report answers three separate questions:
is it clean (no findings), is it unconditional (no assumptions), is it complete (nothing given up)?  Terminal, JSON
and editor output are renderers of these values.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Sequence
from dataclasses import field, replace
from enum import Enum
from typing import NewType

from analysis_core.ir.launch_site import Execution
from analysis_core.profile.access_profile import KernelProfile, LaunchWork
from analysis_core.profile.evidence import Evidence
from analysis_core.requests.facts import KernelFacts
from analysis_core.support.facts import Assumption, Cause
from analysis_core.support.files import SOURCES
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

CheckId = NewType("CheckId", str)
"""A registered code such as "WC101"."""


class Verdict(Enum):
    """What was found out about a check: HOLDS is a proved absence; FAILS happens in some admissible launch; MAY_FAIL
    is not excluded; GAVE_UP: the analysis does not know, and says why."""

    HOLDS, MAY_FAIL, FAILS, UNREACHABLE, GAVE_UP = range(5)


class Level(Enum):
    """How loud a finding is; `rank` orders, and greater is louder. A hint is a loss that only the contents of memory
    decide (wording.rests_on_values), or a loss in a kernel that its program does not notice or never runs (program_gates.py,
    uncalled.py). docs/levels.md has the table."""

    HINT = "hint"
    INFORMATION = "information"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        return ("hint", "information", "warning", "error").index(self.value)


@dataclass(frozen=True, slots=True)
class Note:
    """A remark that belongs to a finding, at a place of its own if `span` is set.  `places`: all places that it is about, the first of them `span`;
    their lines are said where the text is known (`spelled.with_lines`)."""

    message: str
    span: Span | None = None
    places: tuple[Span, ...] = ()

    @staticmethod
    def of_all(message: str, places: Sequence[Span]) -> tuple[Note, ...]:
        """One remark about all of the places; none where there are none."""
        return (Note(message, places[0], tuple(places)),) if places else ()


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the bytes of `span` by `text`."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that the analysis has checked again; `title` says what they buy."""

    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """An annotation that belongs to no finding and was tried: `title` says what it buys, or `refused` why it is not offered."""

    edit: Edit
    title: str
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class Refactored:
    """A refactoring at a place, tried: `edits` that were checked, or `refused`, why it is not done.  `cures`: the place and code of the finding that
    it is about, None where it was asked for."""

    action: str
    span: Span
    title: str
    edits: tuple[Edit, ...] = ()
    cures: tuple[Span, str] | None = None
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One check at one place.  `share`: part of the kernel's metric at representative sizes (0 to 1), None where a check
    has no metric.  `subject`: the access or branch, as spelled, or "".  `worst`: sectors or wavefronts of the worst request, by which
    the worse of two launches is told, and `ideal` those of the ideal one; 0 where a check has none.  `fellows`: where the accesses stand
    that are told with it.  `reasons`: what of the program around its kernel changed its level."""

    check: CheckId
    verdict: Verdict
    level: Level
    span: Span
    message: str
    notes: tuple[Note, ...] = ()
    fixes: tuple[Fix, ...] = ()
    share: float | None = None
    subject: str = ""
    worst: int = 0
    ideal: int = 0
    fellows: tuple[Span, ...] = ()
    reasons: tuple[Reason, ...] = field(default=(), compare=False)

    @property
    def lost(self) -> float:
        """The part of the kernel's metric that the ideal would save; all of the share where a check has no ideal."""
        return (self.share or 0.0) * (1 - self.ideal / self.worst if self.worst else 1)


@dataclass(frozen=True, slots=True)
class Reason:
    """The answer to one gate: `holds` is None where the question did not matter any more.  `level`: how loud the loss may be after it, None for
    silent.  `because`: the same in numbers, where there are any."""

    gate: str
    evidence: Evidence
    text: str
    holds: bool | None
    level: Level | None
    because: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a rule asked about one place, and how loud it may be told after that, None where it stays silent.  `finding`: what is told there, if it is;
    `along`: where it is told with others that have the same cause; `gain`: the part of the kernel's work (0 to 1) that is lost there, about."""

    code: CheckId
    span: Span
    text: str
    level: Level | None
    reasons: tuple[Reason, ...]
    finding: Finding | None = None
    along: Span | None = None
    gain: float = 0.0

    @property
    def decisive(self) -> Asked:
        """The same with the answers alone that changed the level, and without what is told."""
        return replace(self, reasons=tuple(reason for reason in self.reasons if reason.holds), finding=None)


NOT_COMPUTED = "symbolic bounds are not computed yet"
"""Said where `KernelFacts.bounds` is None."""


@dataclass(frozen=True, slots=True)
class LaunchReport:
    """One kernel under one launch configuration.  `findings` are those of this launch, before merging; `asked`: what rules asked
    about its accesses and branches, with the answers that changed a level; `divided`: the part of its work (0 to 1) that integer divisions by
    values of the run are."""

    profile: KernelProfile
    findings: tuple[Finding, ...] = ()
    asked: tuple[Asked, ...] = ()
    divided: float = 0.0

    @property
    def facts(self) -> KernelFacts:
        """What is proved of the kernel under the launch."""
        return self.profile.facts

    def asked_at(self, span: Span, text: str) -> tuple[Asked, ...]:
        """What rules asked about one access or branch."""
        return tuple(one for one in self.asked if one.span == span and one.text == text)


@dataclass(frozen=True, slots=True)
class KernelReport:
    """`findings`: the worst per statement and rule over all launches, loudest share first, suppressions applied.

    `failure`: our own bug, as "ExceptionName: text", if the kernel could not be analysed; then `launches` may be empty.
    `unknowns`: every cause met, of the reader and of the analysis.  `seconds`: wall time of the analysis.
    `parameters`: what values may be given to, as spelled.
    `executions`: of each launch, the ways in which the program makes it; `work`: the requests of a warp of any launch; `part`: of the traffic of
    its program, about (program/program_profile.py), None where nobody knows, and a part of what is known where a report comes early; `guessed`: nothing says the block
    of any launch; `instantiated`: how many instantiations are launched, where not all are looked at; `needed`: the barriers that are not proved
    idle under every launch.  What is said of the whole file rests on
    these, not on `launches`, which the editor's reports do not have (incremental/entry.py)."""

    name: str
    instantiation: str | None
    span: Span
    name_span: Span
    launches: tuple[LaunchReport, ...]
    findings: tuple[Finding, ...]
    unknowns: tuple[Cause, ...] = ()
    failure: str | None = None
    seconds: float = field(default=0.0, compare=False)
    parameters: tuple[str, ...] = ()
    executions: tuple[tuple[Execution, ...], ...] = ()
    work: LaunchWork | None = None
    guessed: bool = False
    instantiated: int | None = None
    needed: tuple[Span, ...] = ()
    part: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class StageTime:
    """Wall seconds spent in a stage of the pipeline for one file."""

    stage: str
    seconds: float


@dataclass(frozen=True, slots=True)
class FileReport:
    """`findings`: those of all kernels, one per statement and rule (instantiations of a template share their text), and
    those of the file itself; in order of kernels, then as the kernels have them.

    `dependencies`: files read or sought; `missing`: those that were absent; `beside`: files that may belong to the same program and were
    looked at for what they say.  `failure`: our own bug, as for kernels, if the file could not even be read.  `tried`: annotations that
    somebody asked for; `refactored`: what may be done at the place that was asked about.  `left_out`: how many kernels conditionals leave out, by what they need."""

    path: str
    kernels: tuple[KernelReport, ...]
    findings: tuple[Finding, ...]
    dependencies: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    problems: tuple[Cause, ...] = ()
    failure: str | None = None
    tried: tuple[Tried, ...] = ()
    refactored: tuple[Refactored, ...] = ()
    beside: tuple[str, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()
    times: tuple[StageTime, ...] = field(default=(), compare=False)

    def is_by(self, paths: Collection[str], come: bool = False) -> bool:
        """Whether changed files lie beside this one and may belong to its program. `come`: they may be new, so any
        source counts."""
        folder = posixpath.dirname(self.path)
        fresh = come and any(path.endswith(SOURCES) and posixpath.dirname(path) == folder for path in paths)
        return fresh or not set(paths).isdisjoint(self.beside)

    def fixes_in(self, whole: FileReport) -> FileReport:
        """The `whole` report of the same text with what was tried for this one."""
        return replace(whole, findings=self.findings, tried=self.tried, refactored=self.refactored)

    @property
    def has_failed(self) -> bool:
        """Whether a bug of ours cost a part of the result."""
        return self.failure is not None or any(kernel.failure is not None for kernel in self.kernels)

    @property
    def is_clean(self) -> bool:
        """Whether there are no findings."""
        return not self.findings

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """Everything that a result of this file rests on, each once, in order of appearance."""
        found = (a for kernel in self.kernels for launch in kernel.launches for a in launch.facts.assumptions)
        return tuple(dict.fromkeys(found))

    @property
    def is_unconditional(self) -> bool:
        """Whether no result rests on an assumption."""
        return not self.assumptions

    @property
    def is_complete(self) -> bool:
        """Whether nothing was given up: no unknowns, no failures, no unread text."""
        return not self.problems and all(not k.unknowns and k.failure is None for k in self.kernels)
