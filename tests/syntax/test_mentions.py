"""Functions that nothing which runs mentions, read off texts."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.syntax.lex.mentions import code_of, extents_of, mentions_of, unreached


def left(text: str, *elsewhere: str) -> list[str] | None:
    found = unreached(code_of(text.encode()), elsewhere)
    return None if found is None else sorted(found)


def test_what_main_calls_runs() -> None:
    assert left("int f() { return 1; } int g() { return f(); } int h() { return g(); } int main() { return g(); }") == [
        "h"
    ]


def test_what_another_file_mentions_runs() -> None:
    assert left("void f() {} void g() { f(); }", "g") == []
    assert left("void f() {} void g() { f(); }", "f") == ["g"]


@pytest.mark.parametrize(
    "said",
    [
        "// f();\n",
        "/* f();\n f(); */",
        'const char *title = "what f does";',
        "void f();",
        'extern "C" void f(int *a,\n    float *b);',
        "template <class T> void f(T *a);",
        "static inline std::vector<int> f(int n);",
        "#include <vector>\nvoid f();",
        "int f() { return f(); }",
        "void g() { f(); }",
    ],
)
def test_these_do_not_make_it_run(said: str) -> None:
    assert "f" in (left(f"{said} int f(int n) {{ return n; }} int main() {{}}") or ())


@pytest.mark.parametrize(
    "said",
    [
        "int one = f(1);",
        """int one = c == '"' ? f(1) : 2;""",
        'void *way = dlsym(library, "f");',
        "int (*way)(int) = f;",
        "#define RUN(n) f(n)\n",
        "TEST(f_runs) { f(1); }",
        "struct Runner { void run() { f(1); } };",
        "void Runner::run() { f(1); }",
        "Runner::Runner() : first(2) { f(1); }",
        "bool operator()(int a) { return f(a); }",
        "int two = 2 +\n    a * f(2);",
        "template int f<3>(int);",
    ],
)
def test_these_may_run_it(said: str) -> None:
    assert left(f"{said}\nint f(int n) {{ return n; }} int main() {{}}") in ([], None)


def test_kernels_and_namespaces() -> None:
    text = """
        namespace a { namespace b {
        __global__ void __launch_bounds__(256) used(float *p) { *p = 1; }
        template <class T> __global__ void idle(T *p) { *p = 1; }
        void run(float *p) { used<<<1, 256>>>(p); }
        void rest(float *p) { idle<float><<<1, 256>>>(p); }
        } }
        extern "C" { int main() { a::b::run(0); } }
    """
    assert left(text) == ["idle", "rest"]


@pytest.mark.parametrize("text", ["int f() {", "int f() {} }", "#define JOIN(a, b) a##b\nint f() {}"])
def test_what_cannot_be_told(text: str) -> None:
    assert left(text) is None


def test_a_declaration_mentions_nothing_and_a_definition_its_name() -> None:
    assert "f" not in mentions_of(b"int f(int a);\nint g(int a) { return a; }")
    assert {"g", "a"} <= mentions_of(b"int f(int a);\nint g(int a) { return a; }")


@given(st.text(alphabet='{}();#"/*\n\\ fgmain', max_size=80))
def test_any_text_is_taken(text: str) -> None:
    code = code_of(text.encode())
    assert len(code) == len(text.encode())
    for extent in extents_of(code) or ():
        assert 0 <= extent.start < extent.end <= len(code)
    unreached(code, ())


def test_long_texts_take_time_by_their_length() -> None:
    text = b"/*" + b"x" * 60_000 + b"*/ void f() { " + b"word " * 12_000 + b"}\nint main() {}\n"
    began = process_time()
    assert unreached(code_of(text), ()) == {"f": frozenset({"void", "f", "word"})}
    assert process_time() - began < 2  # by their squares: minutes
