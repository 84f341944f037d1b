"""Tokens, their offsets, and what becomes of text that is no C++."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.syntax.lex.lexer import Lexed, lex
from analysis_core.syntax.lex.tokens import TokenKind
from analysis_core.text.source import SourceText
from analysis_core.text.span import FileId

FILE = FileId("a.cu")


def lexed(text: str | bytes) -> Lexed:
    return lex(SourceText.from_bytes(FILE, text.encode() if isinstance(text, str) else text))


def words(text: str | bytes) -> list[str]:
    return [token.text for token in lexed(text).tokens]


def kinds(text: str | bytes) -> list[TokenKind]:
    return [token.kind for token in lexed(text).tokens]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a+++b---c", "a ++ + b -- - c"),
        ("k<<<g,b>>>(x)", "k <<< g , b >>> ( x )"),
        ("a<<=b>>=c<<d>>e<=f>=g", "a <<= b >>= c << d >> e <= f >= g"),
        ("p->*q.*r->s::t...", "p ->* q .* r -> s :: t ..."),
        ("a&&b||c&d|e^f!=g==h", "a && b || c & d | e ^ f != g == h"),
        ("x##y#z", "x ## y # z"),
        ("1'000'000ull 0x1p-3f .5e+7 1.e5 0b1'0 1..2", "1'000'000ull 0x1p-3f .5e+7 1.e5 0b1'0 1..2"),
        ("$a_1 _b", "$a_1 _b"),
        ("@`", "@ `"),
    ],
)
def test_punctuators_numbers_names(text: str, expected: str) -> None:
    assert words(text) == expected.split(" ")


def test_literals() -> None:
    assert words(r'"a\"b" L"c" u8"d" u"e" U"f" '"'g' L'\\''") == [
        r'"a\"b"', 'L"c"', 'u8"d"', 'u"e"', 'U"f"', "'g'", r"L'\''",
    ]  # fmt: skip
    assert kinds("\"a\" 'b' c") == [TokenKind.STRING, TokenKind.CHAR, TokenKind.IDENTIFIER]
    assert words('name"a"') == ["name", '"a"']


def test_raw_strings_hold_anything() -> None:
    assert words('R"(a"b\n//c\\)" x') == ['R"(a"b\n//c\\)"', "x"]
    assert words('LR"xy(a)" )y" )xy" z') == ['LR"xy(a)" )y" )xy"', "z"]
    assert words('R"(a\\\nb)" \\\n z') == ['R"(a\\\nb)"', "z"]


def test_comments_are_space_and_remembered() -> None:
    result = lexed("a/* x\n y */b // c\nd")
    assert [token.text for token in result.tokens] == ["a", "b", "d"]
    assert [(span.start, span.end) for span in result.comments] == [(1, 11), (13, 17)]
    assert [token.line_start for token in result.tokens] == [True, True, True]
    assert result.tokens[1].space


def test_line_continuations_keep_offsets() -> None:
    text = 'ab\\\ncd \\ \r\n ef "g\\\nh" // i \\\n j\nk'
    tokens = lexed(text).tokens
    assert [token.text for token in tokens] == ["abcd", "ef", '"gh"', "k"]
    assert [text[token.span.start : token.span.end] for token in tokens] == ["ab\\\ncd", "ef", '"g\\\nh"', "k"]


def test_directives_span_logical_lines() -> None:
    result = lexed("#define A \\\n 1 /* \n */ 2\n  # undef A\nx # y\n/* */ #if 1\n#")
    found = [[token.text for token in result.tokens[a:b]] for a, b in result.directives]
    assert found == [["#", "define", "A", "1", "2"], ["#", "undef", "A"], ["#", "if", "1"], ["#"]]


def test_lone_carriage_returns_end_lines() -> None:
    result = lexed(b"#define A 1\rint a; // x\rint b;\r")
    assert result.directives == ((0, 4),)
    assert [token.text for token in result.tokens[4:]] == ["int", "a", ";", "int", "b", ";"]


def test_form_feed_is_space_and_u2028_a_stray_character() -> None:
    result = lexed("a\f\vb\u2028c")
    assert [token.text for token in result.tokens] == ["a", "b", "\u2028", "c"]
    assert [token.line_start for token in result.tokens] == [True, False, False, False]
    assert result.tokens[2].kind is TokenKind.OTHER


def test_offsets_count_bytes() -> None:
    tokens = lexed("'é😀' größe = 1").tokens
    assert [(token.text, token.span.start, token.span.end) for token in tokens] == [
        ("'é😀'", 0, 8), ("größe", 9, 16), ("=", 17, 18), ("1", 19, 20),
    ]  # fmt: skip


def test_byte_order_mark_is_skipped() -> None:
    tokens = lexed(b"\xef\xbb\xbf#if 1").tokens
    assert tokens[0].text == "#"
    assert tokens[0].span.start == 3


def test_invalid_bytes_survive() -> None:
    tokens = lexed(b'a\xffb \x00 "\xe9"').tokens
    assert [token.text for token in tokens] == ["a", "\udcff", "b", "\x00", '"\udce9"']
    assert tokens[1].kind is TokenKind.OTHER


def test_unterminated_literals_take_their_line() -> None:
    result = lexed("f(\"abc, d);\nx = 'y;\nz")
    assert [token.text for token in result.tokens] == ["f", "(", '"abc, d);', "x", "=", "'y;", "z"]
    assert [problem.reason.split()[0] for problem in result.problems] == ["unterminated", "unterminated"]


def test_a_comment_without_end_takes_its_line_only() -> None:
    result = lexed("a /* b\nc\nd")
    assert [token.text for token in result.tokens] == ["a", "c", "d"]
    assert result.problems[0].reason == "comment without end"


def test_a_half_typed_comment_does_not_blank_the_next_kernel() -> None:
    text = "int a; /* half\n__global__ void k() { } /* whole */ int b;\n"
    assert "__global__" in words(text)
    assert "half" not in words(text)
    commented_out = "int a; /* __global__ void k() { } */ int b;"
    assert words(commented_out) == ["int", "a", ";", "int", "b", ";"]


def test_empty_and_binary_files() -> None:
    assert words(b"") == []
    data = bytes(range(256)) * 40
    assert all(token.span.end <= len(data) for token in lexed(data).tokens)


def test_a_megabyte_on_one_line_is_fast() -> None:
    data = b"int a[] = {" + b"123," * 250_000 + b"};"
    start = time.process_time()
    assert len(lexed(data).tokens) > 500_000
    assert time.process_time() - start < 8


@pytest.mark.parametrize("text", ["'" * 50_000, '"\\' * 50_000, "/*" * 50_000, "\\\n" * 50_000, 'R"(' * 2_000])
def test_hostile_texts_stay_linear(text: str) -> None:
    start = time.process_time()
    lexed(text)
    assert time.process_time() - start < 4


@given(st.one_of(st.binary(max_size=80), st.text(alphabet="ab01'\"\\\n\r\t /*#<>.=:R()+-é\u2028", max_size=60)))
def test_any_bytes_give_increasing_spans_that_spell_the_tokens(data: bytes | str) -> None:
    raw = data if isinstance(data, bytes) else data.encode()
    source = SourceText.from_bytes(FILE, raw)
    result = lex(source)
    end = 0
    for token in result.tokens:
        assert end <= token.span.start < token.span.end <= len(source.data)
        end = token.span.end
        if b"\\" not in source.data:
            assert source.text(token.span) == token.text
    for start, stop in result.directives:
        assert result.tokens[start].text == "#"
        assert start < stop <= len(result.tokens)
