"""Laws of the reader: nothing raises, nothing nests too deeply, and two readers of expressions agree."""

from __future__ import annotations

import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analysis_core.support.files import MemoryFiles
from analysis_core.support.recursion import deep_recursion
from analysis_core.support.settings import Settings
from analysis_core.syntax.dump import dump
from analysis_core.syntax.lex.preprocessor import preprocess
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read import tree as t
from analysis_core.syntax.read.concrete import make_parser
from analysis_core.syntax.read.environment import Names
from analysis_core.syntax.read.expression_parser import read_tokens
from analysis_core.syntax.read.read_items import render_item
from analysis_core.syntax.read.reader import Reader, make_unit
from analysis_core.syntax.read.splitter import split
from tests.syntax.reading import functions, read

BEFORE = (
    "typedef double real; template <int N> int f(int); __global__ void k(float *a, int *p, int n, int w, int h) { n = "
)


def both(text: str) -> tuple[t.Expr, t.Expr | None]:
    """The expression as read through tree-sitter, and as read by the expression parser."""
    whole = f"{BEFORE}{text}; }}"
    files = MemoryFiles({"a.cu": whole.encode()})
    function = functions(parse("a.cu", files, Settings()))["k"]
    assert function.body is not None
    (statement,) = function.body.body
    assert isinstance(statement, t.ExprStmt), statement
    preprocessed = preprocess("a.cu", files, Settings())
    item = split(preprocessed.tokens)[-1]
    names = Names(types={"real"}, templates={"f"}, values={"f"})
    rendered, scope = render_item(preprocessed.tokens, item, names)
    reader = Reader(make_unit(preprocessed.tokens), scope, rendered, make_parser())
    assert item.body is not None
    return statement.expr, read_tokens(reader, item.body[0] + 1, item.body[1] - 2)


LEAVES = st.sampled_from(["n", "w", "h", "1", "2.5f", "0x1fu", "threadIdx.x", "a[n]", "p[w + 1]", "'c'", "true"])
BINARY = st.sampled_from(
    ["+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||"]
)


def _grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, BINARY, inner).map(" ".join),
        inner.map("({})".format),
        st.tuples(st.sampled_from(["-", "!", "~", "+"]), inner).map(lambda pair: f"{pair[0]} ({pair[1]})"),
        st.tuples(st.sampled_from(["(float)", "(real)", "(const int)", "(unsigned)"]), inner).map(
            lambda pair: f"{pair[0]}({pair[1]})"
        ),
        st.tuples(st.sampled_from(["real", "float", "min", "f<3>", "static_cast<float>"]), inner).map(
            lambda pair: f"{pair[0]}({pair[1]})"
        ),
        st.tuples(inner, inner, inner).map(lambda three: f"({three[0]}) ? {three[1]} : {three[2]}"),
        st.tuples(inner, inner).map(lambda pair: f"a[{pair[0]}] - (n) * ({pair[1]})"),
        inner.map("sizeof(float) * ({})".format),
    )


@settings(max_examples=300, deadline=None)
@given(st.recursive(LEAVES, _grow, max_leaves=12))
@example("sizeof(float) * ((float)(n) + sizeof(float) * (n))")
@example("(const int)(n) - sizeof(float) * (real)(w)")
def test_both_readers_agree(text: str) -> None:
    first, second = both(text)
    assert first == second, text


WORDS = st.sampled_from(
    [
        "__global__",
        "void",
        "k",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ",",
        "<",
        ">",
        "<<<",
        ">>>",
        "?",
        ":",
        "=",
        "+",
        "-",
        "*",
        "&",
        "&&",
        ".",
        "->",
        "::",
        "if",
        "else",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "default",
        "return",
        "int",
        "float",
        "unsigned",
        "const",
        "__shared__",
        "extern",
        "struct",
        "template",
        "typename",
        "class",
        "operator",
        "sizeof",
        "static_cast",
        "asm",
        "goto",
        "try",
        "catch",
        "a",
        "b",
        "T",
        "1",
        "2.0f",
        "'c'",
        '"s"',
        "#",
        "define",
        "include\n\n",
        "...",
        "~",
        "!",
        "new",
        "delete",
        "throw",
        "using",
        "namespace",
        "typedef",
        "enum",
        "union",
        "[[",
        "]]",
        "({",
        "})",
        "é",
        "\\",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, max_size=60), st.booleans())
def test_token_soup_never_raises(words: list[str], kernel: bool) -> None:
    text = " ".join(words)
    tree = read(f"__global__ void k(int *a, int n) {{ {text} }}" if kernel else text)
    assert isinstance(dump(tree, lambda _: text.encode()), str)


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200))
def test_bytes_never_raise(data: bytes) -> None:
    parse("a.cu", MemoryFiles({"a.cu": data}), Settings())
    parse("a.cu", MemoryFiles({"a.cu": b"__global__ void k() {" + data + b"}"}), Settings())


def depth(node: object) -> int:
    """How deep frozen nodes nest, found without recursion; a chain of operators is one level."""
    deepest = 0
    stack: list[tuple[object, int]] = [(node, 0)]
    while stack:
        item, level = stack.pop()
        if isinstance(item, tuple):
            stack.extend((part, level) for part in item)
        elif isinstance(item, t.Node):
            deepest = max(deepest, level + 1)
            for name in item.__dataclass_fields__:
                part = getattr(item, name)
                chained = isinstance(item, t.Binary) and isinstance(part, t.Binary) and name == "left"
                stack.append((part, level if chained else level + 1))
    return deepest


@pytest.mark.parametrize(
    "body",
    [
        "n = " + "(" * 3000 + "1" + ")" * 3000 + ";",
        "n = " + " + ".join(["p[1]"] * 2000) + ";",
        "n = " + ", ".join(["n"] * 3000) + ";",
        "n = " + "- " * 3000 + "1;",
        "n = " + "-(" * 3000 + "1" + ")" * 3000 + ";",
        "n = " + "n ? n : " * 3000 + "n;",
        "n = " + "n = " * 3000 + "n;",
        "n = " + "p[" * 3000 + "1" + "]" * 3000 + ";",
        "f" + "(1)" * 3000 + ";",
        "n = (int)" * 1 + "(int)" * 3000 + "1;",
        "n = a" + "<b" * 2000 + ">" * 2000 + "(1);",
        "n = {" + "{" * 2000 + "}" * 2000 + "};",
        "{" * 3000 + "}" * 3000,
        "if (n) " * 3000 + ";",
        "if (n) ; else " * 3000 + ";",
        "int " + "*" * 3000 + "q;",
        "int q" + "[2]" * 3000 + ";",
        "struct S {" * 300 + "};" * 300,
        "n = " + "[] { return " * 300 + "1;" + "}" * 300 + ";",
        "n = f(" * 3000,
        "}" * 300,
        "{" * 300,
    ],
    ids=range(22),
)
def test_deep_nesting_becomes_opaque(body: str) -> None:
    assert sys.getrecursionlimit() <= 1000
    tree = read(f"__global__ void k(int *p, int n) {{ {body} }} __global__ void after(int *p) {{ p[0] = 1; }}")
    assert depth(tree.declarations) <= 450
    with deep_recursion():
        for declaration in tree.declarations:
            hash(declaration)


def test_parentheses_alone_do_not_count() -> None:
    tree = read("__global__ void k(int n) { n = " + "(" * 3000 + "1" + ")" * 3000 + "; }")
    assert not tree.problems
