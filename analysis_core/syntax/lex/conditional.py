"""The arithmetic of `#if` (C++17 [cpp.cond]): 64-bit signed and unsigned, evaluated without recursion.

The operand, its macros already expanded, goes through two stacks (operator precedence), so nesting costs memory
and never the call stack.  Both operands of `&&`, `||` and `?:` are evaluated; an error such as a division by zero is
a value, too, that spreads through operators and vanishes where the operand that carries it is not selected.
Unknown identifiers are 0.  Tested by tests/syntax/test_preprocessor_conditional.py.
"""

from __future__ import annotations

import re
from typing import Callable, Mapping, Sequence

from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.text.records import dataclass

UNCLOSED_IF = "#if without #endif"
"""The reason of a problem that takes all text behind it."""

_MASK = (1 << 64) - 1
_TOP = 1 << 63


@dataclass(frozen=True, slots=True)
class Number:
    """A value of `#if` arithmetic; `error` says why it has none."""

    value: int
    unsigned: bool = False
    error: str | None = None


_PRECEDENCE = {
    ",": 1, "?": 2, ":": 2, "||": 3, "&&": 4, "|": 5, "^": 6, "&": 7, "==": 8, "!=": 8,
    "<": 9, ">": 9, "<=": 9, ">=": 9, "<<": 10, ">>": 10, "+": 11, "-": 11, "*": 12, "/": 12, "%": 12,
}  # fmt: skip
_UNARY = 13
_WORDS = {
    "and": "&&", "or": "||", "not": "!", "bitand": "&", "bitor": "|", "xor": "^", "compl": "~", "not_eq": "!="
}  # fmt: skip
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uU]?(?:ll|LL|l|L|z|Z)?|(?:ll|LL|l|L|z|Z)[uU])\Z")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27}


def evaluate(tokens: Sequence[Token]) -> Number:
    """The value of a controlling expression whose macros, `defined` and `__has_include` are already replaced."""
    values: list[Number] = []
    operators: list[str] = []
    want_operand = True
    for token in tokens:
        text = _WORDS.get(token.text, token.text) if token.kind is TokenKind.IDENTIFIER else token.text
        if want_operand:
            if token.kind is TokenKind.PUNCTUATOR:
                if text not in ("(", "+", "-", "!", "~"):
                    return _fail(f"operator {text} has no left operand")
                operators.append(text if text == "(" else "unary" + text)
                continue
            if text in ("!", "~"):
                operators.append("unary" + text)
                continue
            values.append(_operand(token))
            want_operand = False
            continue
        wrong = _close(operators, values) if text == ")" else _push(text, operators, values)
        if wrong:
            return _fail(wrong)
        want_operand = text != ")"
    if want_operand:
        return _fail("an operand is missing" if tokens else "#if with no expression")
    while operators:
        if operators[-1] == "(":
            return _fail("missing ')'")
        if not _reduce(operators, values):
            return _fail("'?' without ':'")
    return values[0]


def _close(operators: list[str], values: list[Number]) -> str:
    """Reduces what stands in parentheses that end here; the reason if it cannot, else ""."""
    while operators and operators[-1] != "(":
        if not _reduce(operators, values):
            return "'?' without ':'"
    if not operators:
        return "unbalanced ')'"
    operators.pop()
    return ""


def _push(text: str, operators: list[str], values: list[Number]) -> str:
    """Reduces what binds more tightly than an operator, and puts that on top; the reason if it cannot, else ""."""
    rank = _PRECEDENCE.get(text)
    if rank is None:
        return f"missing operator before {text}"
    while operators and operators[-1] != "(" and not _waits(operators[-1], text, rank):
        if not _reduce(operators, values):
            return "'?' without ':'"
    if text != ":":
        operators.append(text)
    elif not operators or operators[-1] != "?":
        return "':' without '?'"
    else:
        operators[-1] = "?:"
    return ""


def _waits(above: str, text: str, rank: int) -> bool:
    """Whether the operator on top is applied after the one that comes.  "?" binds to the right: "a ? b : c ? d : e"; a ":" closes everything inside
    of its "?"."""
    return above == "?" or _rank(above) < rank or (_rank(above) == rank == 2 and text == "?")


def _fail(reason: str) -> Number:
    return Number(0, False, reason)


def _rank(operator: str) -> int:
    if operator.startswith("unary"):
        return _UNARY
    return 2 if operator == "?:" else _PRECEDENCE[operator]


def _reduce(operators: list[str], values: list[Number]) -> bool:
    """Applies the top operator to the top values; False for a "?" whose ":" never came."""
    operator = operators.pop()
    if operator == "?":
        return False
    right = values.pop()
    if operator.startswith("unary"):
        values.append(_unary(operator[5:], right))
    elif operator == "?:":
        then = values.pop()
        values.append(_select(values.pop(), then, right))
    else:
        values.append(_binary(operator, values.pop(), right))
    return True


def _operand(token: Token) -> Number:
    match token.kind:
        case TokenKind.NUMBER:
            return _number(token.text)
        case TokenKind.CHAR:
            return _character(token.text)
        case TokenKind.IDENTIFIER:
            return Number(1 if token.text == "true" else 0)
        case _:
            return _fail(f"{token.text} is no operand of #if")


def _number(text: str) -> Number:
    match = _NUMBER.match(text.replace("'", ""))
    if match is None:
        return _fail(f"{text} is no integer")
    digits = match[1]
    octal = len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()
    if octal and not set(digits) <= set("01234567"):
        return _fail(f"{text} is no octal number")
    if len(digits) > 80:  # Far beyond any 64-bit value, and Python refuses to convert thousands of digits.
        return _fail(f"integer of {len(digits)} digits is too large")
    value = int(digits, 8 if octal else 0) if digits.strip("0") else 0
    if value > _MASK:
        return _fail(f"integer {text} is too large")
    return Number(_signed(value), "u" in match[2].lower() or value >= _TOP)


def _character(text: str) -> Number:
    body = text[text.index("'") + 1 : -1]
    if not body.startswith("\\"):
        codes = body.encode("utf-8", "surrogateescape")
        value = 0
        for code in codes[-4:]:
            value = value << 8 | code
        return Number(value if len(codes) != 1 or value < 128 else value - 256) if codes else _fail("empty character")
    rest = body[1:]
    if rest[:1] == "x" and re.fullmatch(r"[0-9a-fA-F]{1,8}", rest[1:]):
        return Number(int(rest[1:], 16))
    if re.fullmatch(r"[0-7]{1,3}", rest):
        return Number(int(rest, 8))
    return Number(_ESCAPES.get(rest, ord(rest[0]) if rest else 0))


def _signed(value: int) -> int:
    """The bits of `value` modulo 2^64 as intmax_t: the one form that all values are kept in."""
    value &= _MASK
    return value - (1 << 64) if value >= _TOP else value


def _unary(operator: str, value: Number) -> Number:
    if value.error is not None:
        return value
    match operator:
        case "+":
            return value
        case "-":
            return Number(_signed(-value.value), value.unsigned)
        case "~":
            return Number(~value.value, value.unsigned)
        case _:
            return Number(int(value.value == 0))


def _select(condition: Number, then: Number, otherwise: Number) -> Number:
    if condition.error is not None:
        return condition
    chosen = then if condition.value else otherwise
    return Number(chosen.value, then.unsigned or otherwise.unsigned, chosen.error)


def _binary(operator: str, left: Number, right: Number) -> Number:
    if operator == "&&" or operator == "||":
        decided = operator == "||"
        for side in (left, right):
            if side.error is not None:
                return side
            if bool(side.value) is decided:
                return Number(int(decided))
        return Number(int(not decided))
    if left.error is not None:
        return left
    if right.error is not None:
        return right
    if operator in ("<<", ">>"):
        return _shift(left, right.value if operator == "<<" else -right.value, right)
    unsigned = left.unsigned or right.unsigned
    a, b = left.value, right.value
    if unsigned:
        a, b = a & _MASK, b & _MASK
    if operator in _COMPARISONS:
        return Number(int(_COMPARISONS[operator](a, b)))
    if operator in ("/", "%"):
        if b == 0:
            return _fail("division by zero in #if")
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return Number(_signed(quotient if operator == "/" else a - quotient * b), unsigned)
    return Number(_signed(_ARITHMETIC[operator](a, b)), unsigned)


def _shift(left: Number, amount: int, right: Number) -> Number:
    """Shifts to the left by `amount`, to the right if it is negative; an unsigned amount is never negative."""
    if right.unsigned and right.value < 0:
        amount = 64 if amount < 0 else -64
        amount = -amount
    bits = left.value & _MASK if left.unsigned else left.value
    if amount >= 64:
        return Number(0, left.unsigned)
    if amount >= 0:
        return Number(_signed(bits << amount), left.unsigned)
    return Number(_signed(bits >> min(-amount, 64)), left.unsigned)


_COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}
_ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    ",": lambda a, b: b,
}
