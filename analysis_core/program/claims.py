"""Where claims stand, and kernels lowered once more with them, to have them checked.

What claims ask for is computed by statements of their own.  The kernel whose costs are told must not have these, so it has beside it
itself once more (`Kernel.claimed`), if anything is claimed in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from analysis_core.ir.nodes import Claim, Inlined, Kernel, VarId
from analysis_core.ir.walk import statements
from analysis_core.lower.context import Lowering
from analysis_core.lower.objects import destructors
from analysis_core.lower.statements import claims, lower_statements, parameters
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.annotation_tree import AnnotationComment, ClaimAnnotation, Misstatement
from analysis_core.syntax.read.walk_syntax import inside, measure
from analysis_core.text.records import dataclass


@dataclass(slots=True)
class PlacedClaims:
    """Assertions before statements, and at the ends of blocks, by the identity of these; `nodes` keeps them.  `blocks`: of functions, by theirs."""

    before: dict[int, list[ClaimAnnotation]] = field(default_factory=dict)
    end: dict[int, list[ClaimAnnotation]] = field(default_factory=dict)
    nodes: list[syn.Stmt] = field(default_factory=list)
    blocks: dict[int, list[syn.Compound]] = field(default_factory=dict)

    def place(self, function: syn.FunctionDecl | None, said: ClaimAnnotation) -> Misstatement | None:
        """Notes where an assertion stands; what is wrong if no place is meant by it."""
        if function is None or function.body is None:
            return Misstatement("an `assert` stands in the body of a kernel or a device function", said.span)
        blocks = self.blocks.get(id(function))
        if blocks is None:
            blocks = [n for n in (function.body, *inside(function.body)) if isinstance(n, syn.Compound)]
            self.blocks[id(function)] = blocks
        around = [block for block in blocks if block.span.encloses(said.span)]
        block = min(around, key=lambda b: b.span.end - b.span.start, default=None)
        if block is None:
            return Misstatement("an `assert` stands in the body of a kernel or a device function", said.span)
        if any(one.span.encloses(said.span) for one in block.body):
            return Misstatement("an `assert` stands between the statements of a block in braces", said.span)
        following = [one for one in block.body if one.span.file == said.span.file and one.span.start >= said.span.end]
        labelled = any(isinstance(one, syn.CaseLabel) for one in block.body)
        if (labelled and not following) or (following and isinstance(following[0], syn.CaseLabel)):
            return Misstatement(
                "an `assert` at the end of an arm of a `switch` is not read; put the arm in braces", said.span
            )
        node, where = (following[0], self.before) if following else (block, self.end)
        where.setdefault(id(node), []).append(said)
        self.nodes.append(node)
        return None


def claimed_kernel(
    begin: Callable[[], Lowering],
    finish: Callable[[Lowering, tuple[VarId, ...]], Kernel],
    declaration: syn.FunctionDecl,
    placed: PlacedClaims | None,
    comments: Sequence[AnnotationComment],
) -> tuple[Kernel | None, tuple[Misstatement, ...]]:
    """The kernel with all that is claimed in it, None if that is nothing, and what cannot be used of it."""
    said = [c.said for c in comments if isinstance(c.said, ClaimAnnotation)]
    if declaration.body is None:
        return None, ()
    placed = placed or PlacedClaims()
    ctx = begin()
    ctx.claims = found = claims.Claims(placed.before, placed.end)
    variables = parameters.declare_parameters(ctx, declaration)
    with destructors.block_scope(ctx, declaration.body):
        ensured = list(_ensured(ctx, found, declaration.body, said))
        with ctx.block() as body:
            lower_statements.body(ctx, declaration.body.body)
            lower_statements.end(ctx, declaration.body)
        # Threads that return meet those that come to the end again, and all of them are held to what is ensured.
        ctx.blocks[-1] += [Inlined(declaration.name, tuple(body), declaration.span)] if ensured else body
        for one in ensured:
            claims.claim(ctx, found, one)
    kernel = finish(ctx, variables)
    claiming = any(isinstance(stmt, Claim) for stmt in statements(kernel.body))
    return kernel if claiming else None, tuple(dict.fromkeys(found.rejected))


def _ensured(
    ctx: Lowering, found: claims.Claims, body: syn.Compound, said: Sequence[ClaimAnnotation]
) -> Iterator[ClaimAnnotation]:
    """What is claimed of the end, with names for what is remembered from the beginning."""
    assigned = measure(body).assigned & {v.name for v in ctx.variables if v.parameter}
    for one in said:
        kept = claims.remembered(ctx, found, one, assigned)
        if kept is not None:
            yield kept
