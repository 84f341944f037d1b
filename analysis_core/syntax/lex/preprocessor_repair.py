"""A lost `#endif`, put back where it must have stood.

While a line such as `#endif` is being typed, its conditional runs to the end of the file, and a branch that is not
taken blanks every kernel below.  So, if the main file ends inside of conditionals, a conditional that was opened
inside of a body and is still open when that body is closed and the next kernel begins is ended there.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.lex.preprocessor_lines import Directive, FileLines, TextRun
from analysis_core.syntax.lex.splitter_bodies import prefix_start
from analysis_core.text.records import dataclass


@dataclass(slots=True)
class _Open:
    """A conditional as written: braces open at its `#if`, and whether any text of it was seen."""

    directive: Directive
    depth: int


def with_lost_endifs(file: FileLines) -> FileLines | None:
    """The file with an `#endif` before each kernel that lies in a conditional of an earlier body; None if none does."""
    stack: list[_Open] = []
    depth = 0
    parts: list[TextRun | Directive] = []
    problems: list[Cause] = []
    for part in file.parts:
        if isinstance(part, Directive):
            depth = _follow(stack, part, depth)
            parts.append(part)
            continue
        begin = 0
        for index, token in enumerate(part.tokens):
            if token.text == "{":
                depth += 1
            elif token.text == "}":
                depth -= 1
            elif token.text == "__global__" and stack and stack[-1].depth > max(depth, 0):
                start = prefix_start(part.tokens, index, begin)
                parts.append(TextRun.of(part.tokens[begin:start]))
                begin = start
                while stack and stack[-1].depth > max(depth, 0):
                    opened = stack.pop().directive
                    parts.append(Directive("endif", opened.span, ()))
                    reason = "this conditional has no #endif; it was ended before the next kernel"
                    problems.append(Cause(CauseKind.READER, reason, opened.span))
        parts.append(TextRun.of(part.tokens[begin:]) if begin else part)
    if not problems:
        return None
    return replace(file, parts=tuple(parts), problems=(*file.problems, *problems))


def _follow(stack: list[_Open], part: Directive, depth: int) -> int:
    """Braces open behind a directive: each branch begins with as many as its conditional."""
    if part.name in ("if", "ifdef", "ifndef"):
        stack.append(_Open(part, depth))
    elif part.name in ("elif", "else", "elifdef", "elifndef") and stack:
        return stack[-1].depth
    elif part.name == "endif" and stack:
        stack.pop()
    return depth
