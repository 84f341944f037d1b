"""Macro expansion: the algorithm of GCC's preprocessor, on pieces that remember where they are spelled.

Tokens under expansion are `Piece`s.  They come from a stack of contexts, each the replacement of one macro; a macro
is disabled while its context is on the stack, and an identifier met while its macro is disabled is *painted*: it is
never expanded again.  This is the standard's rule, and where the standard leaves it open (a function-like macro
whose arguments begin inside of an expansion and end behind it) it is GCC's choice: a context that is exhausted
while arguments are sought is popped, and its macro enabled again.  Prosser's hide sets decide that case otherwise.

A piece keeps the token it is spelled by (an argument of the outermost macro, at any depth); pieces from macro
bodies have none and get, when the outermost expansion is done, the span of its invocation and its name.

Expansion can double with each level, so every piece made is paid from the account of the unit's reading, of which one
invocation may take half of what is left; past it the outermost name stays as it is spelled.  Recursion happens only for arguments of arguments and is bounded by `Limits.argument_depth`.
Tested by tests/syntax/test_preprocessor.py and, against GCC, by tests/syntax/test_gcc_tokens.py.
"""

from __future__ import annotations

from typing import Callable, Iterable, Mapping, Protocol, Sequence

from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.lex.lexer import lex_fragment
from analysis_core.syntax.lex.macros import Builtin, Macro
from analysis_core.syntax.lex.preprocessor_account import Account
from analysis_core.syntax.lex.preprocessor_lines import Limits
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.text.span import FileId, Span

Piece = tuple[TokenKind, str, bool, Token | None, bool]
"""Kind, spelling, white space before, the token that spells it (None: a macro's body), painted."""

Arguments = list[list[Piece] | None]
"""The arguments of an invocation; None stands for a variadic argument that was left out altogether."""

_SCRATCH = FileId("")
_CHARACTERS = 8
"""Of a made text, for each of which it counts like a token."""


class ExpansionLimit(Exception):
    """The budget is spent: the outermost invocation is left as it is spelled, and a problem says so."""


class Source(Protocol):
    """What follows the invocation in the text; arguments may reach into it."""

    def peek(self) -> str:
        """The spelling of the next token of the same run of text, or ""."""
        ...

    def take(self) -> Token | None:
        """The next token. Directives before it are carried out. None at the end of the file."""
        ...

    def mark(self) -> object:
        """A place to go back to."""
        ...

    def rewind(self, mark: object) -> None:
        """Goes back, undoing directives carried out since."""
        ...


class NoSource:
    """Nothing follows: the end of an argument or of a directive."""

    def peek(self) -> str:
        return ""

    def take(self) -> Token | None:
        return None

    def mark(self) -> object:
        return None

    def rewind(self, mark: object) -> None:
        return None


class _Context:
    """The replacement of `macro` (None: pieces put back), read up to `at`.

    `anchor` is where the invocation's name is spelled, or that of the invocation whose body it came from: the line
    that `__LINE__` in the replacement means."""

    __slots__ = ("anchor", "at", "macro", "pieces")

    def __init__(self, pieces: Sequence[Piece], macro: str | None, anchor: Span) -> None:
        self.pieces = pieces
        self.at = 0
        self.macro = macro
        self.anchor = anchor


class _Turn:
    """The expansion of one invocation, or of one directive's operand.

    `place`: the text that it takes up so far; `budget`: pieces that it may still make; `condition`: it is a directive's operand, in
    which `defined` keeps its own.  `depth` of arguments in arguments; `disabled`: how often a macro's replacement is on the stack."""

    __slots__ = ("budget", "condition", "depth", "disabled", "place")

    def __init__(self, place: Span, budget: int, condition: bool) -> None:
        self.place = place
        self.budget = budget
        self.condition = condition
        self.depth = 0
        self.disabled: dict[str, int] = {}


class Expander:
    """Expands macros over one environment.  `macros` is read at every step, so directives in arguments take effect."""

    def __init__(
        self,
        macros: Mapping[str, Macro],
        spell: Callable[[Builtin, Span], str],
        limits: Limits,
        account: Account,
        problems: list[Cause],
    ) -> None:
        self._macros = macros
        self._spell = spell
        self._limits = limits
        self._account = account
        self._problems = problems
        self._turn = _Turn(Span(_SCRATCH, 0, 0), 0, False)

    def expand(self, name: Token, source: Source) -> list[Token] | None:
        """The tokens that replace an invocation that starts with `name`; None where `name` invokes nothing."""
        macro = self._macros[name.text]
        if macro.parameters is not None and source.peek() != "(":
            return None
        mark = source.mark()
        try:
            return self._expanded_at([(name.kind, name.text, name.space, name, False)], source, name, False)
        except ExpansionLimit:
            reason = f"the expansion of macro {name.text} is too large and was left out"
            self._problems.append(Cause(CauseKind.READER, reason, name.span))
            source.rewind(mark)
            return None

    def expand_all(self, tokens: Sequence[Token]) -> list[Token]:
        """All of a directive's operand expanded, perhaps in the middle of an invocation around it; raises ExpansionLimit."""
        if not tokens:
            return []
        pieces: list[Piece] = [(t.kind, t.text, t.space, t, False) for t in tokens]
        return self._expanded_at(pieces, NoSource(), tokens[0], True)

    def _expanded_at(self, pieces: Sequence[Piece], source: Source, first: Token, condition: bool) -> list[Token]:
        """The tokens that pieces expand to, paid from the account whether it lasts or not."""
        around, granted = self._turn, self._account.fuel.left // 2
        self._turn = turn = _Turn(first.span, granted, condition)
        try:
            return self._tokens(self._run(pieces, source, first.span), first)
        finally:
            self._turn = around
            self._account.pays(granted - max(0, turn.budget))

    def _tokens(self, pieces: Sequence[Piece], name: Token) -> list[Token]:
        """Pieces as tokens: spelled ones at their place, the others at the outermost invocation."""
        result: list[Token] = []
        place, expansion = self._turn.place, name.text
        line_start = name.line_start
        for kind, text, space, origin, _ in pieces:
            if origin is None:
                result.append(Token(kind, text, place, space, line_start, expansion))
            elif origin.space == space and origin.line_start >= line_start:
                result.append(origin)
            else:
                start = origin.line_start or line_start
                result.append(Token(kind, text, origin.span, space, start, origin.expansion))
            line_start = False
        return result

    # --- the machine ----------------------------------------------------------------------------------------

    def _run(self, pieces: Sequence[Piece], source: Source, anchor: Span) -> list[Piece]:
        """Expands `pieces`, and what of `source` their macros take as arguments, completely."""
        macros = self._macros
        contexts = [_Context(pieces, None, anchor)]
        out: list[Piece] = []
        disabled = self._turn.disabled
        carried_space = False
        while contexts:
            context = contexts[-1]
            if context.at >= len(context.pieces):
                self._pop(contexts)
                continue
            piece = context.pieces[context.at]
            context.at += 1
            kind, text, space, origin, painted = piece
            if carried_space:
                space = True
                piece = (kind, text, space, origin, painted)
            carried_space = False
            if self._turn.condition and text == "defined":
                out.append(piece)
                self._copy_operand(contexts, out)
                continue
            if kind is TokenKind.IDENTIFIER and not painted and text in macros:
                macro = macros[text]
                if disabled.get(text):
                    out.append((kind, text, space, origin, True))
                    continue
                anchor = context.anchor if origin is None else origin.span
                replacement = self._replacement(macro, anchor, contexts, source)
                if replacement is not None:
                    if replacement:
                        first = replacement[0]
                        replacement[0] = (first[0], first[1], space, first[3], first[4])
                        disabled[text] = disabled.get(text, 0) + 1
                        contexts.append(_Context(replacement, text, anchor))
                    else:
                        carried_space = space
                    continue
            out.append(piece)
        return out

    def _copy_operand(self, contexts: list[_Context], out: list[Piece]) -> None:
        """Moves the operand of `defined`, `X` or `(X`, unexpanded."""
        nothing = NoSource()
        while self._next_text(contexts, nothing):
            piece = self._take(contexts, nothing)
            assert piece is not None
            out.append(piece)
            if piece[1] != "(":
                return

    def _pop(self, contexts: list[_Context]) -> None:
        macro = contexts.pop().macro
        if macro is not None:
            self._turn.disabled[macro] -= 1

    def _charge(self, amount: int) -> None:
        self._turn.budget -= amount
        if self._turn.budget < 0:
            raise ExpansionLimit

    def _charge_text(self, parts: Iterable[str]) -> None:
        """One token takes many characters where `#` and `##` make it: text is charged before it is made."""
        self._charge(sum(map(len, parts)) // _CHARACTERS)

    def _replacement(self, macro: Macro, anchor: Span, contexts: list[_Context], source: Source) -> list[Piece] | None:
        """What replaces an invocation of `macro`, its arguments substituted; None where it is no invocation."""
        self._charge(1 + len(macro.body))
        if macro.builtin is not None and macro.builtin is not Builtin.PRAGMA:
            spelling = self._spell(macro.builtin, anchor)
            return [(t.kind, t.text, t.space, None, False) for t in lex_fragment(spelling, _SCRATCH)]
        if macro.parameters is None:
            if macro.plain:
                return [(item.kind, item.text, item.space, None, False) for item in macro.body]
            return self._substitute(macro, [], anchor)
        if self._next_text(contexts, source) != "(":
            return None
        arguments = self._arguments(macro, contexts, source, anchor)
        if arguments is None:
            return None
        if macro.builtin is Builtin.PRAGMA:
            return _pragma(arguments)
        return self._substitute(macro, arguments, anchor)

    def _next_text(self, contexts: list[_Context], source: Source) -> str:
        """The next spelling; contexts that are read out are popped on the way, as GCC does."""
        while contexts:
            context = contexts[-1]
            if context.at < len(context.pieces):
                return context.pieces[context.at][1]
            self._pop(contexts)
        return source.peek()

    def _take(self, contexts: list[_Context], source: Source) -> Piece | None:
        while contexts:
            context = contexts[-1]
            if context.at < len(context.pieces):
                context.at += 1
                return context.pieces[context.at - 1]
            self._pop(contexts)
        token = source.take()
        if token is None:
            return None
        if token.span.file == self._turn.place.file and token.span.end > self._turn.place.end:
            self._turn.place = Span(self._turn.place.file, self._turn.place.start, token.span.end)
        return (token.kind, token.text, token.space, token, False)

    def _arguments(self, macro: Macro, contexts: list[_Context], source: Source, anchor: Span) -> Arguments | None:
        """The arguments of an invocation that has its "(" next.  None, and everything put back, if they do not fit."""
        assert macro.parameters is not None
        mark, place = source.mark(), self._turn.place
        from_contexts: list[Piece] = []
        argument: list[Piece] = []
        arguments: Arguments = [argument]
        depth = 0
        most = len(macro.parameters) if macro.variadic else 0  # at this count commas separate no more
        while True:
            piece = self._take(contexts, source)
            if piece is None:
                break
            if contexts:
                from_contexts.append(piece)
            self._charge(1)
            kind, text, space, origin, painted = piece
            if kind is TokenKind.PUNCTUATOR:
                if text == "(":
                    depth += 1
                    if depth == 1:
                        continue
                elif text == ")":
                    depth -= 1
                    if depth == 0:
                        fitting = _fitting(macro, arguments)
                        if fitting is not None:
                            return fitting
                        break
                elif text == "," and depth == 1 and len(arguments) != most:
                    argument = []
                    arguments.append(argument)
                    continue
            elif kind is TokenKind.IDENTIFIER and not painted and self._turn.disabled.get(text):
                piece = (kind, text, space, origin, True)
            argument.append(piece)
        source.rewind(mark)
        self._turn.place = place
        reason = f"the arguments of macro {macro.name} do not fit its definition or have no end"
        self._problems.append(Cause(CauseKind.READER, reason, place))
        if from_contexts:
            contexts.append(_Context(from_contexts, None, anchor))
        return None

    # --- replacement lists ----------------------------------------------------------------------------------

    def _substitute(self, macro: Macro, arguments: Arguments, anchor: Span) -> list[Piece]:
        """The body with its arguments put in, `#` and `##` carried out ([cpp.subst], with GNU's `, ## args`)."""
        out: list[Piece] = []
        expanded: dict[int, list[Piece]] = {}

        def argument_of(index: int) -> list[Piece]:
            """An argument expanded on its own, once."""
            if index not in expanded:
                expanded[index] = self._expanded(arguments[index] or [], anchor)
            return expanded[index]

        glue = False  # a ## stands before the item
        empty = False  # the left operand of that ## is a placemarker
        carried = False
        last = len(macro.parameters or ()) - 1
        for item in macro.body:
            space = item.space or carried
            if item.optional and not argument_of(last):
                new: list[Piece] = []
            elif item.parameter < 0:
                new = [(item.kind, item.text, space, None, False)]
            elif item.stringify:
                spelled = arguments[item.parameter] or []
                self._charge_text(piece[1] for piece in spelled)
                new = [(TokenKind.STRING, _stringified(spelled), space, None, False)]
            elif item.paste or glue:
                argument = arguments[item.parameter]
                new = list(argument or ())
                if glue and macro.variadic and item.parameter == last and out and out[-1][1] == ",":
                    glue = empty = False
                    if argument is None:
                        out.pop()
            else:
                new = list(argument_of(item.parameter))
            self._charge(len(new))
            if new and item.parameter >= 0 and not item.stringify:
                first = new[0]
                new[0] = (first[0], first[1], space, first[3], first[4])
            carried = space and not new and not glue
            if glue and not empty:
                if new:
                    out.extend(self._pasted(out.pop(), new[0]))
                    out.extend(new[1:])
            else:
                empty = not new
                out.extend(new)
            glue = item.paste
        return out

    def _expanded(self, argument: Sequence[Piece], anchor: Span) -> list[Piece]:
        macros = self._macros
        if not any(piece[1] in macros for piece in argument):
            return list(argument)
        if self._turn.depth >= self._limits.argument_depth:
            raise ExpansionLimit
        self._turn.depth += 1
        result = self._run(argument, NoSource(), anchor)
        self._turn.depth -= 1
        return result

    def _pasted(self, left: Piece, right: Piece) -> list[Piece]:
        """Two pieces joined by `##`; both, with a problem, where they make no single token."""
        self._charge_text((left[1], right[1]))
        text = left[1] + right[1]
        made = lex_fragment(text, _SCRATCH)
        if len(made) == 1 and made[0].text == text:
            return [(made[0].kind, text, left[2], None, False)]
        reason = f"pasting {left[1]} and {right[1]} gives no token"
        self._problems.append(Cause(CauseKind.READER, reason, self._turn.place))
        return [left, right]


def _fitting(macro: Macro, arguments: Arguments) -> Arguments | None:
    """The arguments as the parameters take them, or None if their number does not fit."""
    count = len(macro.parameters or ())
    if count == 0:
        return [] if arguments == [[]] else None
    if macro.variadic and count == 1 and arguments == [[]]:
        return [None]
    if macro.variadic and len(arguments) == count - 1:
        return [*arguments, None]
    return arguments if len(arguments) == count else None


def _stringified(argument: Sequence[Piece]) -> str:
    """The string literal that `#` makes of an argument: white space as single blanks, literals escaped."""
    words: list[str] = []
    for kind, text, space, _, _ in argument:
        if words and space:
            words.append(" ")
        if kind in (TokenKind.STRING, TokenKind.CHAR):
            text = text.replace("\\", "\\\\").replace('"', '\\"')
        words.append(text)
    joined = "".join(words)
    trailing = len(joined) - len(joined.rstrip("\\"))
    if trailing % 2:  # A last lone backslash would escape the closing quote.
        joined = joined[:-1]
    return '"' + joined + '"'


def _pragma(arguments: Arguments) -> list[Piece] | None:
    """`_Pragma("text")` as one PRAGMA piece."""
    pieces = arguments[0] if len(arguments) == 1 else None
    if not pieces or len(pieces) != 1 or pieces[0][0] is not TokenKind.STRING:
        return None
    text = pieces[0][1]
    text = text[text.index('"') + 1 : -1].replace('\\"', '"').replace("\\\\", "\\")
    return [(TokenKind.PRAGMA, text.strip(), pieces[0][2], None, False)]
