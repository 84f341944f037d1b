"""Preprocessing: what is expanded, where the tokens come from, and that nothing brings it down."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.syntax.lex.preprocessor import Preprocessed, preprocess
from analysis_core.syntax.lex.preprocessor_lines import Limits
from analysis_core.syntax.lex.tokens import Token, TokenKind

PLAIN = Settings()


def run(text: str | bytes, options: Settings = PLAIN, **headers: str) -> Preprocessed:
    """Preprocesses main.cu; `headers` are NAME="text" for NAME.h."""
    files = {f"src/{name}.h": body.encode() for name, body in headers.items()}
    files["src/main.cu"] = text.encode() if isinstance(text, str) else text
    return preprocess("src/main.cu", MemoryFiles(files), options)


def words(text: str | bytes, options: Settings = PLAIN, **headers: str) -> str:
    return " ".join(token.text for token in run(text, options, **headers).tokens)


def reasons(unit: Preprocessed) -> list[str]:
    return [problem.reason for problem in unit.problems]


def place(text: str, token: Token) -> str:
    return text.encode()[token.span.start : token.span.end].decode()


# --- origins ------------------------------------------------------------------------------------------------


def test_arguments_stand_where_they_are_spelled_and_bodies_at_the_invocation() -> None:
    text = "#define AT(p, i) (p)[i + 1]\nx = AT(row, k * 2);"
    tokens = run(text).tokens
    assert [(t.text, place(text, t), t.expansion) for t in tokens[2:-1]] == [
        ("(", "AT(row, k * 2)", "AT"),
        ("row", "row", None),
        (")", "AT(row, k * 2)", "AT"),
        ("[", "AT(row, k * 2)", "AT"),
        ("k", "k", None),
        ("*", "*", None),
        ("2", "2", None),
        ("+", "AT(row, k * 2)", "AT"),
        ("1", "AT(row, k * 2)", "AT"),
        ("]", "AT(row, k * 2)", "AT"),
    ]


def test_the_outermost_invocation_is_named() -> None:
    text = "#define ONE 1\n#define ADD(a) a + ONE\n#define CALL ADD\nADD(ONE) CALL(y)"
    tokens = run(text).tokens
    assert [(t.text, place(text, t), t.expansion) for t in tokens] == [
        ("1", "ADD(ONE)", "ADD"),
        ("+", "ADD(ONE)", "ADD"),
        ("1", "ADD(ONE)", "ADD"),
        ("y", "y", None),
        ("+", "CALL(y)", "CALL"),
        ("1", "CALL(y)", "CALL"),
    ]


def test_an_invocation_may_span_lines() -> None:
    text = "#define F(a, b) b a\nF\n(1,\n\n 2)\nx"
    tokens = run(text).tokens
    assert [(t.text, place(text, t)) for t in tokens] == [("2", "2"), ("1", "1"), ("x", "x")]
    assert tokens[-1].line_start


def test_tokens_of_an_include_stand_in_it() -> None:
    unit = run('#include "a.h"\nint y = LEN;', a="#define LEN 4\nint x;\n")
    assert [(t.text, t.span.file) for t in unit.tokens[:2]] == [("int", "src/a.h"), ("x", "src/a.h")]
    assert unit.tokens[-2].text == "4"
    assert unit.tokens[-2].span.file == "src/main.cu"
    assert unit.dependencies == ("src/main.cu", "src/a.h")


def test_an_empty_expansion_hands_its_line_start_on() -> None:
    tokens = run("#define API\nint a;\nAPI void f();").tokens
    assert tokens[3].text == "void"
    assert tokens[3].line_start


# --- macros -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define LOOP(i, n) for (int i = 0; i < n; i++)\nLOOP(k, 4) { }", "for ( int k = 0 ; k < 4 ; k ++ ) { }"),
        ("#define RB(i) shared[(i) * 32]\n#define RF(i) (RB(i))\nRB(1) = RF(1) * k",
         "shared [ ( 1 ) * 32 ] = ( shared [ ( 1 ) * 32 ] ) * k"),
        ("#define KERNEL __attribute__((global)) void\nKERNEL k();", "__attribute__ ( ( global ) ) void k ( ) ;"),
        ("#define BODY(...) { __VA_ARGS__ }\nBODY(int a[] = {1, 2}; f(a, 3))", "{ int a [ ] = { 1 , 2 } ; f ( a , 3 ) }"),
        ("#define P(a, b) a|b\nP({1, 2})", "{ 1 | 2 }"),
        ("#define E(f, r...) p(f, ## r)\nE(a) E(a, b, c)", "p ( a ) p ( a , b , c )"),
        ("#define E(f, ...) p(f __VA_OPT__(,) __VA_ARGS__)\nE(a) E(a, b)", "p ( a ) p ( a , b )"),
        ("#define S(x) #x\n#define X(x) S(x)\n#define N 3\nS(N) X(N)", '"N" "3"'),
        ("#define C(a, b) a##b\nC(thread, Idx).x C(1, e5) C(,)", "threadIdx . x 1e5"),
        ("#define A B\n#define B A\nA B", "A B"),
        ("#define F(x) F(x + 1)\nF(F(2))", "F ( F ( 2 + 1 ) + 1 )"),
        ("#define F(x) [x]\nF F (1) F\n", "F [ 1 ] F"),
        ("#define F(x) [x]\n#undef F\nF(1)", "F ( 1 )"),
        ("#define F 1\n#define F 2\nF", "2"),
        ("_Pragma(\"unroll 4\") x", "unroll 4 x"),
        ("a FOO(x)\n__global__ void k() { }", "a FOO ( x ) __global__ void k ( ) { }"),
    ],
)  # fmt: skip
def test_expansions(text: str, expected: str) -> None:
    assert words(text) == expected


def test_pragmas_are_single_tokens_with_expanded_unroll_factors() -> None:
    unit = run("#define N 8\n#pragma unroll N\nfor\n#pragma unroll (N / 2)\n#pragma omp N\n")
    pragmas = [token for token in unit.tokens if token.kind is TokenKind.PRAGMA]
    assert [token.text for token in pragmas] == ["unroll 8", "unroll (8 / 2)", "omp N"]
    assert all(token.line_start for token in pragmas)


def test_lines_files_and_counters() -> None:
    assert words("__LINE__\n#define L __LINE__\n\nL __FILE__ __COUNTER__ __COUNTER__") == '1 4 "src/main.cu" 0 1'
    assert words('#include "a.h"\n__INCLUDE_LEVEL__', a="\n__LINE__ __FILE__ __INCLUDE_LEVEL__") == '2 "src/a.h" 1 0'


def test_an_invocation_without_end_swallows_nothing() -> None:
    text = "#define F(a, b) a b\nx = F(1, 2;\n#define LATE 7\n#ifdef NO\nno\n#endif\n__global__ void k() { LATE }"
    unit = run(text)
    assert " ".join(t.text for t in unit.tokens) == "x = F ( 1 , 2 ; __global__ void k ( ) { 7 }"
    assert any("F" in reason for reason in reasons(unit))


def test_arguments_that_do_not_fit_stay() -> None:
    assert words("#define F(a, b) a b\nF(1) F(1, 2, 3) F(1, 2)") == "F ( 1 ) F ( 1 , 2 , 3 ) 1 2"


def test_directives_inside_of_arguments_are_carried_out() -> None:
    assert (
        words("#define F(a) [a]\nF(1\n#define G 2\n+ G\n#ifdef NO\n+ 3\n#else\n+ 4\n#endif\n) G") == "[ 1 + 2 + 4 ] 2"
    )


@pytest.mark.parametrize(
    "text",
    [
        "#define", "#define 1", "#define F(", "#define F(a", "#define F(a,)", "#define F(a a)", "#define F(a, a) a",
        "#define F(...,a)", "#define F ##", "#define F(a) a ##", "#define defined 1", "#undef", "#include",
        "#include FOO", '#include "', "#include <a", "#if", "#ifdef", "#elif 1", "#else", "#endif", "#bogus", "#error no",
        "#if 1\n#else\n#else\n#endif", "#if 1 /\n#endif", "#if 1/0\n#endif", '_Pragma(1)', "#pragma", "#define F(a) #b\nF(1)",
        "#define C(a, b) a##b\nC(+, /)", "#line 7", "#",
    ],
)  # fmt: skip
def test_malformed_directives_lose_no_kernel(text: str) -> None:
    unit = run(text + "\n__global__ void k() { }\n")
    spelled = " ".join(token.text for token in unit.tokens)
    assert spelled.endswith("__global__ void k ( ) { }") or "#if" in text


# --- conditionals and includes ------------------------------------------------------------------------------


def test_one_branch_of_each_conditional_remains() -> None:
    text = "#if defined(A)\na\n#elif B > 1\nb\n#else\nc\n#endif\n"
    assert words(text) == "c"
    assert words(text, Settings(defines={"A": ""})) == "a"
    assert words(text, Settings(defines={"B": "2"})) == "b"


def test_inactive_text_is_reported() -> None:
    text = "#if 0\nint a;\n#endif\nint b;"
    unit = run(text)
    assert [(span.start, span.end) for span in unit.inactive] == [(6, 12)]


def test_cuda_is_defined() -> None:
    text = "#if defined(__CUDACC__) && __CUDA_ARCH__ >= 900\nyes\n#endif"
    assert words(text) == "yes"
    assert words(text, Settings(compute_capability="8.6")) == ""
    assert words("__CUDA_ARCH__", Settings(compute_capability="8.6")) == "860"


def test_host_fallbacks_for_cuda_words_are_not_taken() -> None:
    text = "#ifndef __device__\n#define __device__\n#define __global__\n#endif\n__global__ void k();"
    assert words(text) == "__global__ void k ( ) ;"


def test_includes_are_sought_beside_the_file_and_on_the_paths() -> None:
    files = {
        "p/main.cu": b'#include "sub/a.h"\n#include <b.h>\n#include <gone.h>\n',
        "p/sub/a.h": b'#include "c.h"\n',
        "p/sub/c.h": b"c\n",
        "inc/b.h": b"b\n",
    }
    unit = preprocess("p/main.cu", MemoryFiles(files), Settings(include_paths=("inc",)))
    assert [token.text for token in unit.tokens] == ["c", "b"]
    assert unit.dependencies == ("p/main.cu", "p/sub/a.h", "p/sub/c.h", "inc/b.h")
    assert unit.missing == ("inc/gone.h", "p/gone.h")
    assert unit.missing_headers == ("<gone.h>",)
    assert unit.problems == ()


def test_a_missing_include_is_silent_and_a_missing_main_file_is_not() -> None:
    assert run('#include "x.h"\n#include <y.h>\n').problems == ()
    assert preprocess("a.cu", MemoryFiles({}), PLAIN).missing == ("a.cu",)


def test_guards_and_pragma_once() -> None:
    text = '#include "g.h"\n#include "g.h"\n#include "o.h"\n#include "o.h"\n'
    assert words(text, g="#ifndef G\n#define G\ng\n#endif\n", o="#pragma once\no\n") == "g o"


def test_include_cycles_end() -> None:
    start = time.process_time()
    unit = run('#include "a.h"\nend', a='a\n#include "b.h"\n#include "b.h"', b='#include "a.h"\n#include "a.h"\n')
    assert unit.tokens[-1].text == "end"
    assert any("levels" in reason for reason in reasons(unit))
    assert time.process_time() - start < 5


def test_a_lost_endif_does_not_blank_the_next_kernel() -> None:
    text = "#ifndef H\n#define H\n__global__ void a() {\n#if 0\n x;\n\n}\n__global__ void b() {\n#if 0\n y;\n#endif\n}\n#endif\n"
    assert words(text).endswith("__global__ void b ( ) { }")
    assert words(text.replace("x;\n\n}", "x;\n#endif\n}")) == "__global__ void a ( ) { } __global__ void b ( ) { }"


def test_comments_of_the_main_file_are_kept() -> None:
    text = '#include "a.h"\n//@ launch block=(64)\nint x; // warpcost: ignore[WC101]\n'
    unit = run(text, a="// other\n")
    assert [text[span.start : span.end] for span in unit.comments] == [
        "//@ launch block=(64)",
        "// warpcost: ignore[WC101]",
    ]


# --- the toolkit's constants --------------------------------------------------------------------------------


def test_constants_of_absent_headers_are_filled_in() -> None:
    text = "float m = FLT_MAX; int i = INT_MIN;"
    unit = run(text)
    assert " ".join(t.text for t in unit.tokens) == "float m = 3.402823466e+38F ; int i = ( - 2147483647 - 1 ) ;"
    assert place(text, unit.tokens[3]) == "FLT_MAX"
    assert unit.tokens[3].expansion == "FLT_MAX"


def test_the_programs_own_definitions_win() -> None:
    assert words("#ifndef M_PI\n#define M_PI 3\n#endif\nM_PI") == "3"
    assert words("const float M_PI = 3.f; x = M_PI;") == "const float M_PI = 3.f ; x = M_PI ;"
    assert words("enum { EOF = 5, B }; B + EOF;") == "enum { EOF = 5 , B } ; B + EOF ;"
    assert words("limits.INT_MAX + std::NAN") == "limits . INT_MAX + std :: NAN"


def test_they_are_known_to_if() -> None:
    assert words("#if INT_MAX > 32767 && CHAR_BIT == 8\nyes\n#endif\n") == "yes"
    assert words("#ifdef INT_MAX\nyes\n#endif\n") == ""


# --- bad input ----------------------------------------------------------------------------------------------


def test_exponential_expansion_is_cut() -> None:
    text = "#define D0 x\n" + "".join(f"#define D{i + 1} D{i} D{i}\n" for i in range(60)) + "D60; int after;"
    start = time.process_time()
    unit = run(text)
    assert [t.text for t in unit.tokens] == ["D60", ";", "int", "after", ";"]
    assert "too large" in reasons(unit)[0]
    assert time.process_time() - start < 5


def test_many_exponential_expansions_are_cut_together() -> None:
    text = "#define D0 x\n" + "".join(f"#define D{i + 1} D{i} D{i}\n" for i in range(40)) + "D40;" * 200
    start = time.process_time()
    run(text)
    assert time.process_time() - start < 15


def test_deep_nesting_in_conditions_and_arguments() -> None:
    deep = "(" * 3000 + "1" + ")" * 3000
    assert words(f"#if {deep}\nyes\n#endif") == "yes"
    assert len(run(f"#define F(a) a a\nF({deep})").tokens) == 12002
    nested = "F(" * 3000 + "1" + ")" * 3000
    unit = run(f"#define F(a) a\n{nested}; int after;")
    assert [t.text for t in unit.tokens[-3:]] == ["int", "after", ";"]


def test_long_chains_of_macros() -> None:
    text = "".join(f"#define A{i} A{i + 1}\n" for i in range(5000)) + "A0"
    assert words(text) == "A5000"
    text = "".join(f"#define A{i}(x) A{i + 1}(x)\n" for i in range(5000)) + "A0(1)"
    assert words(text) == "A5000 ( 1 )"


def test_overlong_lines_keep_their_net_brackets() -> None:
    data = b"int a[] = {" + b"123," * 260_000 + b"\n4 };\n__global__ void k() { }\n"
    start = time.process_time()
    unit = run(data)
    assert [t.text for t in unit.tokens] == ["{", "4", "}", ";", *["__global__", "void", "k", "(", ")", "{", "}"]]
    assert "not read" in reasons(unit)[0]
    assert time.process_time() - start < 10


def test_overlong_directives_and_files_are_not_read() -> None:
    assert words("#define A " + "1 " * 150_000 + "\nA x") == "A x"
    unit = run("int a;" * 2_000_000)
    assert unit.tokens == ()
    assert "not read" in reasons(unit)[0]
    small = Limits(file_bytes=10)
    assert preprocess("a.cu", MemoryFiles({"a.cu": b"int abcdefgh;"}), PLAIN, limits=small).tokens == ()


@pytest.mark.parametrize(
    "data", [b"", b"\x00" * 999, bytes(range(256)) * 50, b"\xff\xfe\x00", b"#" * 500, b"\\\n" * 99]
)
def test_empty_and_binary_files(data: bytes) -> None:
    run(data)


def test_a_cache_changes_nothing() -> None:
    store = Store()
    files = MemoryFiles({"a.cu": b'#include "b.h"\nint x = N;', "b.h": b"#define N 3\n"})
    first = preprocess("a.cu", files, PLAIN, store)
    assert preprocess("a.cu", files, PLAIN, store) == first
    edited = MemoryFiles({"b.h": b"#define N 4\n"}, files)
    assert preprocess("a.cu", edited, PLAIN, store).tokens[3].text == "4"


LINES = st.sampled_from(
    [
        "#define F(a, b...) a ## b F(b) #a", "#define F(x) x F(x)", "#define G F(", "#define G )", "#define X X Y", "#define Y F(X",
        "#undef F", "#if X", "#ifdef F", "#elif G(1)", "#else", "#endif", '#include "main.cu"', "F(1, 2) G X", "F(F(F", "))",
        "G(,)", "a /* b", "*/ c", "'x", '"y', "__LINE__ _Pragma(\"x\")", "}", "{", "\\", "#pragma unroll F(X)", "__VA_OPT__(,)",
    ]
)  # fmt: skip


def test_so_many_includes_are_read_and_no_more() -> None:
    """Each of these files includes the next one twice."""
    text = {f"{n}.h": f'#include "{n + 1}.h"\n#include "{n + 1}.h"\n'.encode() for n in range(40)}
    files = MemoryFiles({"a.cu": b'#include "0.h"\nint last;\n', **text, "40.h": b"int x;\n"})
    many = preprocess("a.cu", files, PLAIN, limits=Limits(units=5000))
    (problem,) = many.problems
    assert "is not included again: too much is read more than once" in problem.reason
    assert [token.text for token in many.tokens[-3:]] == ["int", "last", ";"]
    assert 100 < len(many.tokens) < 5000


@settings(deadline=None, max_examples=150)
@given(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\r", "\r\n", " ", "\\\n"]))
def test_any_lines_terminate(lines: list[str], end: str) -> None:
    files = MemoryFiles({"src/main.cu": end.join(lines).encode()})
    small = Limits(include_depth=8, units=6000)
    unit = preprocess("src/main.cu", files, PLAIN, limits=small)
    size = len(end.join(lines).encode())
    assert all(0 <= token.span.start <= token.span.end <= size for token in unit.tokens)


@settings(deadline=None, max_examples=150)
@given(st.binary(max_size=120))
def test_any_bytes_keep_the_order_of_unexpanded_tokens(data: bytes) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return
    end = 0
    for token in run(data).tokens:
        if token.expansion is None:
            assert end <= token.span.start
            end = token.span.end


def test_conditions_between_the_arguments_of_a_macro_expand_macros_of_their_own() -> None:
    text = (
        "#define X 1\n#define F(x) x F(x) X\n#define G(x) F(x) x\nG(\n#if X\n2 X\n#else\n3\n#endif\n) defined(X) G(3)\n"
    )
    assert words(text) == "2 1 F ( 2 1 ) 1 2 1 defined ( 1 ) 3 F ( 3 ) 1 3"


def test_many_macros_that_multiply_leave_enough_for_one_that_does_not() -> None:
    """Each takes half of what the others have left, or nothing."""
    doubling = "".join(f"#define M{k} M{k - 1} M{k - 1}\n" for k in range(1, 15))
    text = f"#define M0 x\n#define SIZE 256\n{doubling}" + "M14\n" * 12 + "SIZE"
    unit = run(text)
    assert unit.tokens[-1].text == "256"
    assert len(unit.tokens) < 100_000 and any("too large" in reason for reason in reasons(unit))
