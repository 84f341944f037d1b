"""Cuts the tokens of a translation unit into top-level items, by lexical means only.

A parser for the whole file loses every kernel behind a missing brace; this cut does not look inside of bodies.  It
descends into `namespace` and `extern "C"` blocks, reads one head at a time (`splitter_heads.py`), finds the end of
its body (`splitter_bodies.py`), and goes on.  While a file's braces balance that is plain counting.  While somebody
types, they do not, and the rules of `splitter_bodies.py` keep one item's fault inside of that item.

Invariant: items are ordered, do not overlap, and no token between them is lost but the braces of namespaces, stray
`;` and stray `}`.  Tested by tests/syntax/test_splitter.py and tests/bench/typing_splitter.py.
"""

from __future__ import annotations

from typing import Callable, Sequence

from analysis_core.syntax.lex.splitter_bodies import Body, Structure, body_end, nested_function, starter
from analysis_core.syntax.lex.splitter_items import CUDA_SPACES, SPECIFIERS, STATEMENT_WORDS, Item, ItemKind
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.read.lexical import is_late_typedef
from analysis_core.syntax.read.splitter_heads import Head, matching, read_head

__all__ = ["Item", "ItemKind", "split"]


def split(tokens: Sequence[Token], column: Callable[[Token], int] | None = None) -> tuple[Item, ...]:
    """The top-level items of a preprocessed translation unit; never raises.  Linear in the number of tokens.

    `column` gives a token's column in its file (`Preprocessed.column`) and is asked only where braces do not
    balance; without it, recovery is coarser."""
    return _Splitter(tokens, column).run()


class _Block:
    """An open namespace or `extern "C"` block."""

    __slots__ = ("linkage", "names")

    def __init__(self, names: tuple[str, ...], linkage: bool) -> None:
        self.names = names
        self.linkage = linkage


class _Splitter:
    def __init__(self, tokens: Sequence[Token], column: Callable[[Token], int] | None) -> None:
        self.tokens = tokens
        self.structure = Structure.of(tokens, column)
        self.items: list[Item] = []
        self.blocks: list[_Block] = []

    @property
    def scope(self) -> str:
        return "::".join(name for block in self.blocks for name in block.names)

    def run(self) -> tuple[Item, ...]:
        tokens = self.tokens
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.kind is TokenKind.PRAGMA:
                self._add(ItemKind.OTHER, index, index + 1)
                index += 1
            elif token.text == ";":
                index += 1
            elif token.text == "}":
                if self.blocks:
                    self.blocks.pop()
                index += 1
            else:
                following = self._block(index)
                index = following if following >= 0 else self._item(index)
        return tuple(self.items)

    def _add(self, kind: ItemKind, start: int, end: int, head: Head | None = None, body: tuple[int, int] | None = None,
             closed: bool = True) -> int:  # fmt: skip
        qualifiers: set[str] = set(head.qualifiers) if head is not None else set()
        if any(block.linkage for block in self.blocks):
            qualifiers.add('extern "C"')
        name = head.name if head is not None and head.name >= 0 else None
        template = head is not None and head.template
        self.items.append(Item(kind, start, end, self.scope, name, frozenset(qualifiers), body, template, closed))
        return end

    # --- blocks ---------------------------------------------------------------------------------------------

    def _block(self, index: int) -> int:
        """Enters a namespace or linkage block that begins at `index`; the next index, or -1 if none begins."""
        tokens = self.tokens
        texts = [token.text for token in tokens[index : index + 3]]
        if texts[0] == "extern" and len(texts) == 3 and tokens[index + 1].kind is TokenKind.STRING and texts[2] == "{":
            self.blocks.append(_Block((), True))
            return index + 3
        place = index + 1 if texts[0] == "inline" and len(texts) > 1 and texts[1] == "namespace" else index
        if tokens[place].text != "namespace":
            return -1
        names: list[str] = []
        place += 1
        while place < len(tokens):
            token = tokens[place]
            if token.text == "{":
                if any(each.text == "inline" for each in tokens[index:place]):
                    self._add(ItemKind.USING, index, place)
                self.blocks.append(_Block(tuple(names), False))
                return place + 1
            if token.text == "=":
                return self._to_semicolon(ItemKind.USING, index)
            group = place + (token.text == "__attribute__")
            if group < len(tokens) and tokens[group].text in ("[", "("):
                close = matching(tokens, group)
                if close < 0:
                    break
                place = close + 1
                continue
            if token.text in SPECIFIERS and token.text != "inline":
                break
            if token.kind is TokenKind.IDENTIFIER and (not token.line_start or not names):
                if token.text != "inline":
                    names.append(token.text)
            elif token.text != "::":
                break
            place += 1
        # `namespace a` without its brace: half typed; what follows is read as if it stood outside.
        return self._add(ItemKind.OTHER, index, max(place, index + 1), closed=False)

    def _to_semicolon(self, kind: ItemKind, index: int) -> int:
        end = index
        while end < len(self.tokens) and self.tokens[end].text not in (";", "{", "}"):
            end += 1
        closed = end < len(self.tokens) and self.tokens[end].text == ";"
        return self._add(kind, index, end + closed if end > index else index + 1, closed=closed)

    # --- items ----------------------------------------------------------------------------------------------

    def _item(self, index: int) -> int:
        tokens = self.tokens
        head = read_head(tokens, index)
        if head.broken:
            return self._broken_head(index, head)
        if tokens[head.stop].text == ";":
            return self._add(_declared(tokens, index, head), index, head.stop + 1, self._named(index, head))
        if "__global__" in head.qualifiers and head.name < 0 and _is_name(tokens[head.stop - 1]):
            head.name = head.stop - 1  # `__global__ void name {`: the parameter list is missing
            return self._function(index, head)
        if _is_function(head):
            return self._function(index, head)
        return self._braced(index, head)

    def _named(self, index: int, head: Head) -> Head:
        """Finds the name of what a head without parameters declares."""
        tokens = self.tokens
        keyword = max(head.record, head.enum)
        if keyword >= 0 and not head.alias and head.parameters < 0:
            head.name = _record_name(tokens, keyword, head.stop) if head.name < 0 else head.name
        elif head.name < 0 and head.stop > index and tokens[head.stop - 1].kind is TokenKind.IDENTIFIER:
            head.name = head.stop - 1
        return head

    def _function(self, index: int, head: Head) -> int:
        brace = head.stop
        while head.initialisers and brace < len(self.tokens):
            # `: a(1), b{2} {`: a brace behind a name initialises a member.
            if self.tokens[brace - 1].kind is not TokenKind.IDENTIFIER and self.tokens[brace - 1].text != ">":
                break
            close = matching(self.tokens, brace)
            if close < 0:
                break
            rest = read_head(self.tokens, close + 1)
            if rest.broken or self.tokens[rest.stop].text != "{":
                break
            brace = rest.stop
        body = self._extended(index, body_end(self.structure, index, brace + 1))
        return self._add(ItemKind.FUNCTION, index, body.end, head, (brace, body.end), body.closed)

    def _extended(self, index: int, body: Body) -> Body:
        """A body that was closed too early, because an inner `{` is missing, goes on to the stray `}`."""
        if self.structure.surplus <= 0 or self.structure.column is not None:
            return body
        tokens = self.tokens
        depth = 0
        for place in range(body.end, len(tokens)):
            text = tokens[place].text
            if text == "{":
                if nested_function(tokens, place, body.end) >= 0:
                    return body
                depth += 1
            elif text == "}":
                if depth == 0:
                    return Body(place + 1, False) if place > body.end and not self.blocks else body
                depth -= 1
            elif text in ("__global__", "template", "namespace", "extern", "typedef") or text in CUDA_SPACES:
                if starter(tokens, place, body.end, False) >= 0 or text in ("template", "namespace", "typedef"):
                    return body
        return body

    def _braced(self, index: int, head: Head) -> int:
        """A record, an enum, or a variable with a braced initialiser: its `{` is at `head.stop`."""
        tokens = self.tokens
        brace = head.stop
        head = self._named(index, head) if max(head.record, head.enum) >= 0 and not head.assigned else head
        close = self._block_end(index, brace)
        kind = _braced_kind(head)
        if (
            kind is ItemKind.OTHER
            and brace > index + 1
            and _is_name(tokens[brace - 1])
            and tokens[index].text not in STATEMENT_WORDS
        ):
            kind = ItemKind.VARIABLE  # `int a{3};`
        if head.name < 0 and kind is ItemKind.VARIABLE and brace > index + 1 and _is_name(tokens[brace - 1]):
            head.name = brace - 1
        if close < 0:
            body = body_end(self.structure, index, brace + 1)
            return self._add(kind, index, body.end, head, (brace, body.end), False)
        end = close + 1
        if kind is ItemKind.OTHER:
            return self._add(kind, index, end, head, (brace, close + 1))
        closed = False
        while end < len(tokens):  # Declarators behind the body, up to the `;`.
            token = tokens[end]
            if token.text == ";":
                end += 1
                closed = True
                break
            if token.text == "}" or token.kind is TokenKind.PRAGMA or (token.line_start and _starts_line(token)):
                if not is_late_typedef(tokens, end, index, len(tokens)):
                    break
            if token.text in ("{", "(", "["):
                group = matching(tokens, end)
                if group < 0:
                    break
                end = group
            end += 1
        if head.alias and closed and tokens[end - 2].kind is TokenKind.IDENTIFIER:
            head.name = end - 2
        return self._add(kind, index, end, head, (brace, close + 1), closed)

    def _block_end(self, index: int, brace: int) -> int:
        """The `}` of a record or an initialiser that opens at `brace`, or -1 where another item begins before."""
        tokens = self.tokens
        depth = 0
        record = _braced_kind(read_head(tokens, index)) is ItemKind.RECORD
        for place in range(brace, len(tokens)):
            text = tokens[place].text
            if text == "{":
                depth += 1
            elif text == "}":
                depth -= 1
                if depth == 0:
                    return place
            elif text in ("__global__", "namespace", "extern") or (text in CUDA_SPACES and not record):
                if starter(tokens, place, brace + 1, record) >= 0:
                    return -1
        return -1

    # --- half-typed text ------------------------------------------------------------------------------------

    def _broken_head(self, index: int, head: Head) -> int:
        """A head that has no end.  With braces to spare it is a function whose `{` is missing, else it stops here."""
        tokens = self.tokens
        stop = max(head.stop, index + 1)
        if head.parameters < 0 and "__global__" in head.qualifiers and _is_name(tokens[stop - 1]):
            head.name = stop - 1
            if self.structure.surplus > 0 and head.stop < len(tokens):
                body = body_end(self.structure, index, head.stop)
                return self._add(ItemKind.FUNCTION, index, body.end, head, (head.stop, body.end), False)
            return self._add(ItemKind.FUNCTION, index, stop, head, closed=False)
        if head.parameters < 0:
            return self._add(ItemKind.OTHER, index, min(stop, len(tokens)), head, closed=False)
        single = head.parameters == index + 1  # `FOO(x)`: no type before the name
        if head.stop >= len(tokens):
            return self._add(ItemKind.OTHER if single else ItemKind.FUNCTION, index, len(tokens), head, closed=False)
        if head.closing < 0 and tokens[head.stop].text == "{":  # Only the `)` is missing.
            return self._function(index, head)
        if self.structure.surplus > 0 and not single and tokens[head.stop].text != "}":
            body = body_end(self.structure, index, head.stop)
            if body.end > head.stop and tokens[body.end - 1].text == "}":
                return self._add(ItemKind.FUNCTION, index, body.end, head, (head.stop, body.end), False)
        kind = ItemKind.OTHER if single else ItemKind.FUNCTION
        return self._add(kind, index, stop, head, closed=False)


def _starts_line(token: Token) -> bool:
    """Whether a token at the start of a line, behind the body of a record without `;`, begins the next item."""
    return token.kind is TokenKind.IDENTIFIER and token.text not in ("__attribute__", "alignas")


def _is_name(token: Token) -> bool:
    return token.kind is TokenKind.IDENTIFIER and token.text not in SPECIFIERS and token.text not in STATEMENT_WORDS


def _is_function(head: Head) -> bool:
    return head.parameters >= 0 and not head.assigned and not head.alias


def _braced_kind(head: Head) -> ItemKind:
    if head.alias:
        return ItemKind.ALIAS
    if head.assigned:
        return ItemKind.VARIABLE
    if head.enum >= 0:
        return ItemKind.ENUM
    if head.record >= 0:
        return ItemKind.RECORD
    return ItemKind.VARIABLE if head.name >= 0 or head.qualifiers else ItemKind.OTHER


def _record_name(tokens: Sequence[Token], keyword: int, end: int) -> int:
    """The name of a record or an enum: the last name before `:`, `<`, `{` or `;` behind the keyword."""
    name = -1
    place = keyword + 1
    while place < end:
        token = tokens[place]
        if token.text in (":", "<", ";", "{", "=", ","):
            break
        if token.text == "(" or token.text == "[":
            close = matching(tokens, place)
            if close < 0:
                break
            place = close
            name = -1  # that was `__align__(8)` or the like
        elif token.kind is TokenKind.IDENTIFIER and token.text not in ("class", "struct", "final"):
            name = place
        place += 1
    return name


def _declared(tokens: Sequence[Token], index: int, head: Head) -> ItemKind:
    """What a head that ends with `;` declares."""
    first = tokens[index].text
    if first == "using" or (head.template and head.alias and "typedef" not in head.qualifiers):
        is_alias = any(token.text == "=" for token in tokens[index : head.stop])
        return ItemKind.ALIAS if is_alias else ItemKind.USING
    if head.alias:
        return ItemKind.ALIAS
    if first in STATEMENT_WORDS or first in ("static_assert", "_Static_assert", "asm", "__asm__"):
        return ItemKind.OTHER
    if first == "template" and tokens[min(index + 1, head.stop)].text != "<":
        return ItemKind.OTHER  # explicit instantiation
    if head.parameters >= 0:
        return _call_or_prototype(tokens, index, head)
    if head.record >= 0 and not head.assigned and _record_name(tokens, head.record, head.stop) == head.stop - 1:
        return ItemKind.RECORD
    if head.enum >= 0 and not head.assigned and _record_name(tokens, head.enum, head.stop) == head.stop - 1:
        return ItemKind.ENUM
    return ItemKind.VARIABLE if head.stop > index + 1 else ItemKind.OTHER


def _call_or_prototype(tokens: Sequence[Token], index: int, head: Head) -> ItemKind:
    """`f(int);` declares a function, `dim3 b(16, 16);` a variable, `FOO(x);` alone neither."""
    inside = tokens[head.parameters + 1]
    if head.assigned:
        last = tokens[head.stop - 1].text
        return ItemKind.FUNCTION if last in ("default", "delete", "0") else ItemKind.VARIABLE
    if head.parameters == index + 1:
        return ItemKind.OTHER
    if inside.text == "*" or inside.text == "&" or inside.kind in (
        TokenKind.NUMBER, TokenKind.STRING, TokenKind.CHAR
    ):  # fmt: skip
        return ItemKind.VARIABLE
    return ItemKind.FUNCTION
