"""The nodes of annotations: what `//@` comments say, before any name in them has a meaning.

    Annotation = LaunchAnnotation | AssumeAnnotation | AlignedAnnotation | LoopBoundAnnotation | ClaimAnnotation
               | ContractAnnotation
    Term       = Number | Name | Unary | Binary | Call

Terms mean mathematical integers: nothing wraps around, and `/` and `%` truncate towards zero as in C.  Every node
stands in the user's text, so that what is wrong with it can be said at its own range; what a macro in an annotation
stands for has the range of the macro's name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

if TYPE_CHECKING:
    from analysis_core.syntax.read.tree import Expr

LARGEST = 1 << 62
"""Numbers from here on leave no room to calculate with in 64 bits."""


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """ "n", "p.n" or "blockDim.x"."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    op: str  # - + ! ~
    operand: Term
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    op: str  # + - * / % << >> & | ^ < <= > >= == != && ||
    left: Term
    right: Term
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """`function`: ceil (of a quotient), ceil_div, min or max."""

    function: str
    args: tuple[Term, ...]
    span: Span


Term = Number | Name | Unary | Binary | Call


@dataclass(frozen=True, slots=True)
class LaunchAnnotation:
    """`launch block=(..) grid=(..)`: one to three terms per part, x first; `grid` () where it is not given."""

    block: tuple[Term, ...]
    grid: tuple[Term, ...]
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Conjunct:
    """One part of a conjunction: `text` as it is spelled."""

    condition: Term
    text: str


@dataclass(frozen=True, slots=True)
class AssumeAnnotation:
    """`assume condition && ...`: every part holds, and a part that cannot be used takes none of the others with it.
    `required`: it is `requires`, which launches are held against."""

    parts: tuple[Conjunct, ...]
    text: str
    span: Span
    required: bool = False


@dataclass(frozen=True, slots=True)
class AlignedAnnotation:
    """`aligned(pointer, bytes)`."""

    pointer: Name
    bytes: Term
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class LoopBoundAnnotation:
    """`loop_bound term`: the next loop makes at most so many iterations each time it is reached."""

    bound: Term
    text: str
    span: Span


OLD = "(old)"
"""The function of claims that gives what its argument was worth when the kernel began; no program can name it."""


@dataclass(frozen=True, slots=True)
class ClaimAnnotation:
    """`assert condition` before a statement, or `ensures condition` of a kernel: an expression of C over one thread's variables
    and cells, which the analysis is to prove."""

    word: str
    condition: Expr
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class ContractAnnotation:
    """`expect metric op bound`, with a `scope` and `when` (all parts hold), about a kernel, or about the statement behind it.
    `metric_span`: where the metric is named."""

    metric: str
    metric_span: Span
    op: str  # < <= == >= >
    bound: Term
    scope: str  # per_warp, per_block or per_launch
    when: tuple[Conjunct, ...]
    text: str
    span: Span


Annotation = (
    LaunchAnnotation | AssumeAnnotation | AlignedAnnotation | LoopBoundAnnotation | ClaimAnnotation | ContractAnnotation
)


@dataclass(frozen=True, slots=True)
class Misstatement:
    """A part of an annotation that is wrong or cannot be used, and why; the part is ignored."""

    reason: str
    span: Span


@dataclass(frozen=True, slots=True)
class AnnotationComment:
    """One `//@` comment: what it says, and what is wrong with it.  `span`: the comment.

    `certain`: the comment can mean nobody but us; of others a complaint is made only in or before a kernel."""

    span: Span
    said: Annotation | None
    wrong: tuple[Misstatement, ...] = ()
    certain: bool = True


def names_in(term: Term) -> Iterator[Name]:
    """The names that occur in a term, from left to right."""
    pending = [term]
    while pending:
        node = pending.pop()
        match node:
            case Name():
                yield node
            case Unary():
                pending.append(node.operand)
            case Binary():
                pending += (node.right, node.left)
            case Call():
                pending += reversed(node.args)
            case Number():
                pass


def conjuncts(term: Term) -> Iterator[Term]:
    """The parts of a conjunction, from left to right."""
    pending = [term]
    while pending:
        node = pending.pop()
        if isinstance(node, Binary) and node.op == "&&":
            pending += (node.right, node.left)
        else:
            yield node
