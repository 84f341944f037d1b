"""What a refactoring is: a function of a unit and a site to edits, or to the reason why there are none.

    unit, site, choice  ->  match  ->  Refused(reason, the annotation that would help)
                                   ->  Rewritten(edits of the text, of launches, of annotations)  ->  checks (checks.py)  ->  offer

An action proves its own conditions from the analysis (ranges, races, facts of accesses), each of which it names in `rests_on`; where these
imply that all launches leave the same in memory, `proof` says why in one clause.  No action is trusted for that: what it makes is analysed
again, its races are looked for again, and it is run beside what was there before (runs.py).  A condition that is not shown refuses.

Sources: Alpinist (refactorings of annotated GPU programs: conditions, and what becomes of annotations); HARDWARE.md for what each gains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from analysis_core.ir.nodes import Kernel
from analysis_core.report.findings.model import CheckId, Edit
from analysis_core.rewrite.core.unit import Unit
from analysis_core.simulate.representation import Array
from analysis_core.syntax.read.tree import FunctionDecl, Node
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Choice:
    """What is left to the user: `factor`: rounds that are unrolled or merged, threads, elements of a chunk; `names`: arrays or places ("a[t]"),
    or the kernels that are fused, () for all that can be; `rounding`: floating point operations may be done in another order."""

    factor: int | None = None
    names: tuple[str, ...] = ()
    rounding: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """Where an action may be tried.  `span`: what its line is that of (a loop, an access, the kernel's name); `node`: what the action knows it
    by, None where it is the kernel; `subject`: what it is about, as titles say it ("the loop", "`tile`")."""

    kernel: Kernel
    declaration: FunctionDecl
    span: Span
    subject: str
    node: Node | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """`reason`: one clause without a full stop; `annotation`: what to state so that it can be done ("//@ assume n >= 2"), or ""."""

    reason: str
    annotation: str = ""


@dataclass(frozen=True, slots=True)
class Launching:
    """A kernel that is launched, in a run that is compared.  `called`: parameters by what they are called in both runs, where that is another
    name than their own (a kernel that is fused names its arrays anew)."""

    kernel: str
    called: Mapping[str, str] = field(default_factory=dict)


Contents = Mapping[str, Array]
"""What arrays hold, flat, by what they are called in a run."""

Moved = Callable[[Contents, Mapping[str, int]], Contents | None]
"""Contents of arrays in the layout of the rewritten kernels; the numbers are those of integer parameters.  None where there is no such run."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which runs have to leave the same.  Kernels are launched in order on the same memory.  `before`, `after`: () for the site's kernel alone,
    by its name.  `dead`: arrays of which nobody reads what they hold afterwards; `moved`: where an array's layout is another one afterwards."""

    before: tuple[Launching, ...] = ()
    after: tuple[Launching, ...] = ()
    dead: frozenset[str] = frozenset()
    moved: Moved | None = None


@dataclass(frozen=True, slots=True)
class Rewritten:
    """Edits that do not overlap, and what was shown.  `title`: a sentence in the imperative without figures ("Unroll the loop by 2").

    `rests_on`: conditions, each shown by the analysis or stated by the user; `proof`: why the same is left in memory by all launches,
    "" where nothing but runs says so; `reorders`: floating point operations are done in another order, or other ones: results differ by roundings."""

    title: str
    edits: tuple[Edit, ...]
    rests_on: tuple[str, ...] = ()
    proof: str = ""
    reorders: bool = False
    comparison: Comparison = Comparison()


@dataclass(frozen=True, slots=True)
class Action:
    """A refactoring.  `name`: as the command line names it; `cures`: rules on whose findings it is offered, () for those in the refactor menu
    alone; `sites`: where it may be tried, cheaply, from trees and facts; `rewrite`: the edits, or why there are none, within 50 ms."""

    name: str
    summary: str
    cures: frozenset[CheckId]
    sites: Callable[[Unit, Kernel, FunctionDecl], Iterator[Site]]
    rewrite: Callable[[Unit, Site, Choice], Rewritten | Refused]
