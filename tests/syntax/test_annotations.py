"""Reading of `//@` comments: what they say, where what is wrong with them stands, and that no bytes break the reader."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read.annotation_tree import (
    AlignedAnnotation,
    Annotation,
    AnnotationComment,
    AssumeAnnotation,
    Binary,
    Call,
    LaunchAnnotation,
    LoopBoundAnnotation,
    Name,
    Number,
    Term,
    Unary,
)

KERNEL = b"__global__ void k(float *p, int n, int w) { p[n] = w; }\n"


def comments(data: bytes) -> tuple[AnnotationComment, ...]:
    return parse("a.cu", MemoryFiles({"a.cu": data}), Settings()).annotations


def read(text: str) -> Annotation:
    (comment,) = comments(text.encode() + b"\n" + KERNEL)
    assert comment.wrong == () and comment.said is not None, comment.wrong
    return comment.said


def shown(term: Term) -> str:
    """A term with all its parentheses."""
    match term:
        case Number(value=value):
            return str(value)
        case Name(name=name):
            return name
        case Unary():
            return f"({term.op}{shown(term.operand)})"
        case Binary():
            return f"({shown(term.left)} {term.op} {shown(term.right)})"
        case Call():
            return f"{term.function}({', '.join(map(shown, term.args))})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("//@ assume n % 32 == 0 && w >= 1", "((n % 32) == 0) && (w >= 1)"),
        ("//@assume n>0", "(n > 0)"),
        ("  //@\tassume   p.n==0x10u", "(p.n == 16)"),
        ("/*@ assume n == 010 */", "(n == 8)"),
        ("//@ assume !(n < 5) // a remark", "(!(n < 5))"),
        ("//@ assume -n < ~w", "((-n) < (~w))"),
        ("//@ assume a.b.c != max(n, 2)", "(a.b.c != max(n, 2))"),
        ("//@ assume gridDim.x <= ceil(n / 16)", "(gridDim.x <= ceil((n / 16)))"),
        ("//@ assume n == 1'000", "(n == 1000)"),
        ("#define TILE 16\n//@ assume n % TILE == 0", "((n % 16) == 0)"),
        ("#define A (B + 1)\n#define B w\n//@ assume n == A * 2", "(n == ((w + 1) * 2))"),
        ("#define DIVUP(a, b) (((a) + (b) - 1) / (b))\n//@ assume n == DIVUP(w, 4)", "(n == (((w + 4) - 1) / 4))"),
        ("#define SELF SELF\n//@ assume n == SELF", "(n == SELF)"),
    ],
)
def test_conditions(text: str, expected: str) -> None:
    annotation = read(text)
    assert isinstance(annotation, AssumeAnnotation)
    assert " && ".join(shown(part.condition) for part in annotation.parts) == expected


@pytest.mark.parametrize(
    ("text", "block", "grid"),
    [
        ("block=(16,16) grid=(ceil(n/16), ceil(n/16))", ["16", "16"], ["ceil((n / 16))", "ceil((n / 16))"]),
        ("block = 256", ["256"], []),
        ("grid=(n,2) block=(32, 8, 1)", ["32", "8", "1"], ["n", "2"]),
        ("block=dim3(8, 8), grid=dim3(4)", ["8", "8"], ["4"]),
        ("block=(8)*(4) grid=(n+1)/2", ["(8 * 4)"], ["((n + 1) / 2)"]),
        ("block=16,16 grid=1,2", ["16", "16"], ["1", "2"]),
    ],
)
def test_launches(text: str, block: list[str], grid: list[str]) -> None:
    annotation = read(f"//@ launch {text}")
    assert isinstance(annotation, LaunchAnnotation)
    assert [shown(term) for term in annotation.block] == block
    assert [shown(term) for term in annotation.grid] == grid


def test_alignments_and_bounds() -> None:
    aligned = read("//@ aligned(p, 4 * 4)")
    assert isinstance(aligned, AlignedAnnotation)
    assert (aligned.pointer.name, shown(aligned.bytes), aligned.text) == ("p", "(4 * 4)", "aligned(p, 4 * 4)")
    bound = read("//@ loop_bound 64")
    assert isinstance(bound, LoopBoundAnnotation) and shown(bound.bound) == "64"
    bound = read("//@ loop_bound(n / 2)")
    assert isinstance(bound, LoopBoundAnnotation) and shown(bound.bound) == "(n / 2)"


def test_every_node_stands_in_the_text() -> None:
    data = b"//@ assume !( a.b %  32==0) && (max(n , w)) * (2) >= -  1\n"
    (comment,) = comments(data)
    assert isinstance(comment.said, AssumeAnnotation)
    seen = []
    pending: list[Term] = [part.condition for part in comment.said.parts]
    while pending:
        node = pending.pop(0)
        seen.append(data[node.span.start : node.span.end].decode())
        match node:
            case Unary():
                pending.append(node.operand)
            case Binary():
                pending += (node.left, node.right)
            case Call():
                pending += node.args
            case _:
                pass
    assert [part.text for part in comment.said.parts] == ["!( a.b % 32==0)", "(max(n , w)) * (2) >= - 1"]
    assert seen == [
        "!( a.b %  32==0)",
        "(max(n , w)) * (2) >= -  1",
        "a.b %  32==0",
        "(max(n , w)) * (2)",
        "-  1",
        "a.b %  32",
        "0",
        "max(n , w)",
        "2",
        "1",
        "a.b",
        "32",
        "n",
        "w",
    ]


@pytest.mark.parametrize(
    ("text", "part", "reason"),
    [
        ("//@ asume n > 0", "asume", "did you mean `assume`"),
        ("//@lunch block=(16)", "lunch", "did you mean `launch`"),
        ("//@ guarantees n > 0", "guarantees", "there are launch"),
        ("//@ assume", "assume", "wants a condition"),
        ("//@ assume n %% 3", "%", "not expected"),
        ("//@ assume n 3", "3", "not expected"),
        ("//@ assume (n > 3", "(", "not closed"),
        ("//@ assume n > 3)", ")", "closes nothing"),
        ("//@ assume n >", ">", "missing after"),
        ("//@ assume n > 3;", ";", "cannot stand"),
        ("//@ assume n = 3", "=", "cannot stand"),
        ("//@ assume n > 1.5", "1.5", "no integer"),
        ("//@ assume n > 08", "08", "not expected"),
        ("//@ assume n < 99999999999999999999", "99999999999999999999", "too large"),
        ("//@ assume sizeof(n) > 3", "sizeof", "cannot be used"),
        ("//@ assume p[0] > 3", "[", "cannot stand"),
        ("//@ assume p->n > 3", "p", "reads memory"),
        ("//@ assume n ? 1 : 2", "n", "`?:`"),
        ("//@ assume n++ > 2", "n", "cannot be used"),
        ("//@ assume log2(n) > 3", "log2", "`log2` is not known"),
        ("//@ assume min(n) > 3", "min(n)", "takes 2 arguments, not 1"),
        ("//@ assume n > \u00e9", "\u00e9", "cannot stand"),
        ("//@ launch", "launch", "wants block"),
        ("//@ launch (16, 16)", "(16, 16)", "block="),
        ("//@ launch grid=(1)", "grid=(1)", "wants block"),
        ("//@ launch block=(16,16) gird=(1)", "gird", "no part of a launch"),
        ("//@ launch block=(1,1,1,1)", "(1,1,1,1)", "at most three"),
        ("//@ launch block=16 block=8", "block", "given twice"),
        ("//@ launch block=(16,)", ",", "missing"),
        ("//@ launch block=", "block", "missing after"),
        ("//@ aligned p 16", "p 16", "is expected"),
        ("//@ aligned(p)", "(p)", "not 1 things"),
        ("//@ aligned(p + 1, 16)", "p + 1", "name of a pointer"),
        ("//@ loop_bound", "loop_bound", "number of iterations"),
        ("//@ loop_bound 64 times", "times", "not expected"),
        ("#define HALF 0.5\n//@ assume n > HALF", "HALF", "the macro `HALF`"),
    ],
)
def test_what_is_wrong_is_said_at_its_place(text: str, part: str, reason: str) -> None:
    data = text.encode() + b"\n" + KERNEL
    (comment,) = comments(data)
    assert comment.said is None
    (bad,) = comment.wrong
    assert data[bad.span.start : bad.span.end].decode("utf-8", "replace") == part
    assert reason in bad.reason


@pytest.mark.parametrize(
    "text",
    [
        "//@{", "//@}", "//@TODO check this", "//@ TODO: later", "//@HEADER", "/*@ requires \\valid(p); */", "/*@func f",
        "//@", "// @assume n", '"//@ assume n"', "///@todo: x", "//@brief what it does",
    ],
)  # fmt: skip
def test_comments_of_others_are_left_alone(text: str) -> None:
    assert comments(b"int before;\n" + text.encode() + b"\n") == ()


def test_text_that_conditionals_leave_out_says_nothing() -> None:
    assert comments(b"#if 0\n//@ assume n > 0\n#endif\n//@ assume w > 0\n" + KERNEL)[0].span.start > 20
    assert len(comments(b"#if 0\n//@ assume n > 0\n#endif\n" + KERNEL)) == 0


def test_the_expression_parser_is_loaded_only_where_it_is_needed() -> None:
    code = (
        "import sys; from analysis_core.support.files import MemoryFiles; from analysis_core.support.settings import Settings;"
        "from analysis_core.syntax.parse import parse;"
        "parse('a.cu', MemoryFiles({'a.cu': b'//@{\\nint n;'}), Settings()); assert 'pycparser' not in sys.modules;"
        "parse('a.cu', MemoryFiles({'a.cu': b'//@ assume n > 0\\n'}), Settings()); assert 'pycparser' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


_PIECES = st.sampled_from(
    ["launch", "assume", "aligned", "loop_bound", "block", "grid", "=", "(", ")", ",", "n", "p.n", "16", "0x", "1.5", "&&",
     "||", "==", "%", "-", "!", "~", "<", "<<", ".", "..", "?", ":", "[", "{", ";", "'", '"', "\\", "ceil", "sizeof", "int",
     "//", "*/", "M", "F", "F(1)", "\x00", "\u00e9", "#", "@"]
)  # fmt: skip


@given(
    st.one_of(
        st.text(alphabet=st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=60),
        st.lists(_PIECES, max_size=14).map(" ".join),
        st.lists(_PIECES, max_size=14).map("".join),
    )
)
@example("assume " + "(" * 199 + "n" + ")" * 199)
@example("assume " + "-" * 399 + "n")
@example("assume " + " + ".join(["n"] * 200))
@example("assume n.n.n.n(1).n")
@example("assume n(1)(2)")
@example("assume offsetof(n, m) > 1")
def test_any_text_is_read_or_refused_within_itself(text: str) -> None:
    data = b"#define M (n + 1)\n#define F(x) (x) * M\n//@ " + text.encode() + b"\n" + KERNEL
    for comment in comments(data):
        assert (comment.said is None) == bool(comment.wrong)
        for bad in comment.wrong:
            assert comment.span.start <= bad.span.start <= bad.span.end <= comment.span.end
            assert bad.reason
