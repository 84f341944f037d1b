"""While typing: the broken line becomes a gap; other statements, and other kernels, stay as they were."""

from __future__ import annotations

import random

import pytest

from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as t
from tests.syntax.reading import functions, read

GOOD = """\
__global__ void first(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] = 1.0f;
    }
}

__global__ void second(float *a,
                       const float *b,
                       int n) {
    __shared__ float s[256];
    int i = threadIdx.x;
    for (int j = 0; j < n; j++) {
        s[i] = b[i + j];
        __syncthreads();
        if (s[i] > 0.0f) {
            a[i] += s[i];
        } else {
            a[i] -= s[255 - i];
        }
    }
    a[i] = foo(a[i],
               b[i],
               n);
    a[0] = 2.0f;
}

__global__ void third(float *a) {
    a[threadIdx.x] = 3.0f;
}
"""


def texts(function: t.FunctionDecl, text: str) -> list[str]:
    """The texts of all simple statements below the body."""
    found: list[str] = []
    stack: list[object] = [function.body]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(reversed(item))
        elif isinstance(item, t.ExprStmt | t.DeclStmt):
            found.append(text[item.span.start : item.span.end])
        elif isinstance(item, t.Stmt):
            stack.extend(getattr(item, name) for name in ("otherwise", "body", "then", "inner") if hasattr(item, name))
    return found


def gaps(function: t.FunctionDecl) -> int:
    """How many statements of the tree are gaps or otherwise not understood."""
    count = 0
    stack: list[object] = [function.body]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
        elif isinstance(item, t.OpaqueStmt):
            count += item.cause.kind is CauseKind.READER
            stack.extend(item.inner)
        elif isinstance(item, t.Stmt):
            stack.extend(getattr(item, name) for name in ("otherwise", "body", "then") if hasattr(item, name))
    return count


@pytest.mark.parametrize("known", [True, False], ids=["last good known", "not known"])
@pytest.mark.parametrize(
    ("line", "broken"),
    [
        ("    for (int j = 0; j < n; j++) {", "    for (int j = 0; j <"),
        ("    for (int j = 0; j < n; j++) {", "    for (int j = 0; j < n; j++)"),
        ("        if (s[i] > 0.0f) {", "        if (s[i] >"),
        ("        s[i] = b[i + j];", "        s[i] = b[i +"),
        ("    int i = threadIdx.x;\n    for", "    int i = threadIdx.\n    for"),
        ("            a[i] += s[i];", "            a[i"),
        ("    __shared__ float s[256];", "    __shared__ float s[25"),
        ("               b[i],", "               b["),
        ("    a[0] = 2.0f;", "    a[0"),
    ],
)
def test_a_truncated_line_costs_only_itself(line: str, broken: str, known: bool) -> None:
    assert line in GOOD
    text = GOOD.replace(line, broken, 1)
    tree = read(text, GOOD if known else None)
    found = functions(tree)
    assert list(found) == ["first", "second", "third"]
    intact = functions(read(GOOD))
    for name in ("first", "third"):
        assert texts(found[name], text) == texts(intact[name], GOOD)
        assert gaps(found[name]) == 0
    assert gaps(found["second"]) >= 1
    assert any(problem.kind is CauseKind.READER for problem in tree.problems)
    kept = texts(found["second"], text)
    lost = [s for s in texts(intact["second"], GOOD) if s not in kept]
    assert len(lost) <= 1, lost


@pytest.mark.parametrize(
    ("line", "broken"),
    [
        ("                       const float *b,\n", "                       const flo\n"),
        ("                       int n) {", "                       in"),
        ("__global__ void third(float *a) {", "__global__ void third(float *"),
    ],
)
def test_a_truncated_head_keeps_the_kernel(line: str, broken: str) -> None:
    text = GOOD.replace(line, broken, 1)
    found = functions(read(text, GOOD))
    assert list(found) == ["first", "second", "third"]
    intact = functions(read(GOOD))
    for name, function in intact.items():
        assert texts(found[name], text) == texts(function, GOOD)


def test_a_lost_closing_brace_is_put_back_by_indentation() -> None:
    text = GOOD.replace("        a[i] = 1.0f;\n    }\n", "        a[i] = 1.0f;\n\n", 1)
    found = functions(read(text))
    assert list(found) == ["first", "second", "third"]


def test_a_line_that_ended_a_statement_does_not_swallow_the_next() -> None:
    text = GOOD.replace("    int i = threadIdx.x;\n", "    int i = \n", 1)
    function = functions(read(text, GOOD))["second"]
    assert gaps(function) == 1


def test_intact_text_is_left_alone() -> None:
    tree = read(GOOD, GOOD)
    assert not tree.problems
    assert tree == read(GOOD)


def test_every_truncation_of_the_example_keeps_the_other_kernels() -> None:
    """Not one in particular: all lines at a random place each, fixed seed."""
    rng = random.Random(7)
    lines = GOOD.split("\n")
    intact = functions(read(GOOD))
    for index, line in enumerate(lines):
        if not line.strip() or line.startswith("__global__"):
            continue
        cut = rng.randrange(len(line) - len(line.lstrip()), len(line))
        text = "\n".join([*lines[:index], line[:cut], *lines[index + 1 :]])
        owner = "first" if index < 6 else "second" if index < 28 else "third"
        found = functions(read(text, GOOD))
        for name in intact.keys() - {owner}:
            assert name in found, (index, line[:cut])
            assert texts(found[name], text) == texts(intact[name], GOOD), (index, line[:cut])
        assert owner in found, (index, line[:cut])


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("    __shared__ float s[256];", "    __shared__ float s[256]"),
        ("    int i = threadIdx.x;", "    int i = threadIdx.x"),
        ("    int i = threadIdx.x;", "    int i = threadIdx.x *"),
        ("    int i = threadIdx.x;", "    int k = 2, i = min(threadIdx.x,"),
        ("    int i = threadIdx.x;", "    unsigned int i"),
        ("    int i = threadIdx.x;", "    std::size_t *i = (unsigned *)b + ("),
    ],
)
def test_a_declaration_that_lacks_its_end_is_closed(line: str, typed: str) -> None:
    """Who uses the name keeps it, and the statement that follows says that something is missing."""
    text = GOOD.replace(line, typed, 1)
    tree = read(text, GOOD)
    body = functions(tree)["second"].body
    assert body is not None
    declared = [s for s in body.body if isinstance(s, t.DeclStmt)]
    names = {d.name for s in declared for d in s.declarations if isinstance(d, t.VarDecl)}
    assert {"s", "i"} <= names
    (gap,) = [s for s in body.body if isinstance(s, t.OpaqueStmt)]
    assert gap.typing and gap.cause.reason == "the rest of this line is being typed"
    assert text[gap.span.start : gap.span.end] == typed.strip()
    assert tree.problems == (gap.cause,)


@pytest.mark.parametrize(
    "typed", ["return i", "i * 2", "auto x = s[", "float &x = s[", "else int", "goto out", "a[i] = 3"]
)
def test_what_is_no_declaration_or_needs_its_value_is_blanked(typed: str) -> None:
    line = "        __syncthreads();"
    tree = read(GOOD.replace(line, f"        {typed}", 1), GOOD)
    assert [problem.reason for problem in tree.problems] == ["this line is being typed"]


def test_members_and_globals_are_closed() -> None:
    good = "struct Grid {\n    float *cells;\n    int width;\n};\n__constant__ float w[64];\n" + GOOD
    for line in ("    float *cells;", "__constant__ float w[64];"):
        tree = read(good.replace(line, line[:-1], 1), good)
        assert [d.name for d in tree.declarations if isinstance(d, t.VarDecl | t.FunctionDecl)][-4:] == [
            "w", "first", "second", "third",
        ]  # fmt: skip
        (record,) = [d for d in tree.declarations if isinstance(d, t.RecordDef)]
        assert [field.name for field in record.fields] == ["cells", "width"]


@pytest.mark.parametrize("typed", ["#", "#\n", "#include", "//", "\n", "}"])
def test_a_text_of_next_to_nothing_is_read(typed: str) -> None:
    tree = read(typed, last_good=GOOD)
    assert not functions(tree)
