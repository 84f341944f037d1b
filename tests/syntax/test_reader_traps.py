"""Every trap of reading CUDA with tree-sitter, as the smallest text that falls into it."""

from __future__ import annotations

import pytest

from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as t
from tests.syntax.reading import body, expression, functions, read, say


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("threadIdx.x < w && n > (h - 1)", "((threadIdx.x < w) && (n > (h - 1)))"),
        ("n < w || w > (h)", "((n < w) || (w > h))"),
        ("a[0] = n < w ? h > (1) : 2", "(a[0] = ((n < w) ? (h > 1) : 2))"),
        ("f(n < w, h > (1))", "f((n < w), (h > 1))"),
        ("f<3>(n)", "f<3>(n)"),
        ("f<int, 4 * 2>(n)", "f<int, (4 * 2)>(n)"),
        ("n >> 2 > w", "((n >> 2) > w)"),
        ("g<vec<vec<int>>>(n)", "g<vec<vec<int>>>(n)"),
        ("std::max<int>(n, w)", "std::max<int>(n, w)"),
    ],
)
def test_less_than_or_template(text: str, read_as: str) -> None:
    assert expression(text) == read_as


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("(real)(n)", "(real:c)n"),
        ("(real)-n", "(real:c)(-n)"),
        ("(real &)n = w", "((real&:c)n = w)"),
        ("(real &)p[n] += w = h", "((real&:c)p[n] += (w = h))"),
        ("(real &)(n = w)", "(real&:c)(n = w)"),
        ("(real)*p", "(real:c)(*p)"),
        ("(real)&n", "(real:c)(&n)"),
        ("(n)-w", "(n - w)"),
        ("(n)*w", "(n * w)"),
        ("(n)&w", "(n & w)"),
        ("(n) >= (w) && (n) <= (h)", "((n >= w) && (n <= h))"),
        ("(p[0]) - (w)", "(p[0] - w)"),
        ("1.0 + (n) / (w) + (h) / n", "((1.0 + (n / w)) + (h / n))"),
        ("(unsigned)-1", "(unsigned:c)(-1)"),
        ("(unsigned char)(n)", "(unsigned char:c)n"),
        ("(const float4 *)(a + n)", "(const float4*:c)(a + n)"),
        ("float(n)", "(float:functional)n"),
        ("n = unsigned int(w)", "(n = (unsigned int:functional)w)"),
        ("real(n)", "(real:functional)n"),
        ("make(n)(w)", "make(n)(w)"),
        ("(*p)(n)", "(*p)(n)"),
        ("reinterpret_cast<const float4 *>(a)[n]", "(const float4*:reinterpret_cast)a[n]"),
        ("static_cast<unsigned char>(n)", "(unsigned char:static_cast)n"),
    ],
)
def test_casts(text: str, read_as: str) -> None:
    assert expression(text, "typedef double real;") == read_as


def test_a_parenthesised_name_that_nobody_declared_is_not_guessed() -> None:
    tree = read("__global__ void k(int *a, int n) { a[(X) - n] = 1; }")
    function = functions(tree)["k"]
    assert function.body is not None
    (statement,) = function.body.body
    assert isinstance(statement, t.ExprStmt)
    assert isinstance(statement.expr, t.Assign)
    assert isinstance(statement.expr.target, t.Subscript)
    index = statement.expr.target.index
    assert isinstance(index, t.OpaqueExpr)
    assert index.cause.kind is CauseKind.MISSING


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("-1", "(-1)"),
        ("- 1", "(-1)"),
        ("n -1", "(n - 1)"),
        ("n, w, h", "((n , w) , h)"),
        ("n = w = h", "(n = (w = h))"),
        ("n ? w : h ? 1 : 2", "(n ? w : (h ? 1 : 2))"),
        ("n << 2 + w & 3", "((n << (2 + w)) & 3)"),
        ("!n && ~w", "((!n) && (~w))"),
        ("*p++ = n--", "((*(p++)) = (n--))"),
        ("sizeof(int) * n", "(sizeof(type int) * n)"),
        ("sizeof(n) * 2", "(sizeof(value n) * 2)"),
        ("sizeof n", "sizeof(value n)"),
        ('printf("a" "b", n)', 'printf("a" "b", n)'),
        ("dim3(n, w)", "dim3{n, w}"),
        ("float4{1, 2}", "float4{1, 2}"),
        ("a[0] = __ldg(&p[n])", "(a[0] = __ldg((&p[n])))"),
        ("cg::this_thread_block().sync()", "cg::this_thread_block().sync()"),
        ("tile.shfl_down(n, 1)", "tile.shfl_down(n, 1)"),
        ("x.template f<int>(n)", "x.f<int>(n)"),
        ("N::f<int>::g(n)", "N::f::g<int>(n)"),
        ("k2<T, 4><<<n, dim3(16, 16), 0, s>>>(a, n)", "k2<T, 4><<<n, dim3{16, 16}, 0, s>>>(a, n)"),
        ("k2 << <n, 32>> >(a)", "k2<<<n, 32>>>(a)"),
        ("f([&](int i) { return i; })", "f(lambda[&])"),
        ("({ int t = n; t + 1; })", "lambda[&]()"),
    ],
)
def test_expressions(text: str, read_as: str) -> None:
    assert expression(text) == read_as


@pytest.mark.parametrize(
    ("text", "name", "type_as", "storage"),
    [
        ("__shared__ float s[2][3];", "s", "[2][3]float", {"__shared__"}),
        ("__shared__ volatile int v[4];", "v", "[4]volatile int", {"__shared__", "volatile"}),
        ("volatile __shared__ int v[4];", "v", "[4]volatile int", {"__shared__", "volatile"}),
        ("static __shared__ int v;", "v", "int", {"__shared__", "static"}),
        ("extern __shared__ __align__(16) unsigned char d[];", "d", "[]unsigned char", {"__shared__", "extern"}),
        ("const float *q = a;", "q", "const float*", set()),
        ("float *const __restrict q = a;", "q", "float* __restrict__ const", {"const"}),
        ("int (*f)(int, float) = 0;", "f", "int(int, float)*", set()),
        ("float (&r)[4] = t;", "r", "[4]float&", set()),
        ("std::vector<std::vector<int>> v(n);", "v", "std::vector<std::vector<int>>", set()),
        ("auto t = cg::tiled_partition<32>(b);", "t", "auto", set()),
    ],
)
def test_declarations(text: str, name: str, type_as: str, storage: set[str]) -> None:
    (statement,) = body(text)
    assert isinstance(statement, t.DeclStmt)
    (variable,) = statement.declarations
    assert isinstance(variable, t.VarDecl)
    assert (variable.name, say(variable.type), variable.storage) == (name, type_as, storage)


def test_a_constructor_call_is_not_a_function_declaration() -> None:
    statements = body("Local l(n); Local m(n, w); dim3 b(16, 16); int z(3); int u{3};", "struct Local { int a; };")
    inits = [s.declarations[0].init for s in statements if isinstance(s, t.DeclStmt)]  # type: ignore[union-attr]
    assert [say(i) for i in inits] == ["Local{n}", "Local{n, w}", "dim3{16, 16}", "int{3}", "int{3}"]


def test_template_parameters_are_not_taken_for_variables() -> None:
    tree = read("template <uint32_t A, uint32_t B> __global__ void k(uint32_t *p, int n) { p[0] = (uint32_t)-n; }")
    function = functions(tree)["k"]
    assert function.body is not None
    (statement,) = function.body.body
    assert isinstance(statement, t.ExprStmt)
    assert say(statement.expr) == "(p[0] = (uint32_t:c)(-n))"


def test_a_local_prototype_is_a_function() -> None:
    (statement,) = body("float f(int, float x);")
    assert isinstance(statement, t.DeclStmt)
    assert isinstance(statement.declarations[0], t.FunctionDecl)


def test_statement_macros_are_expanded_and_unknown_ones_are_missing() -> None:
    (loop,) = body("LOOP(i, n) { a[i] = 0; }", "#define LOOP(i, n) for (int i = 0; i < n; i++)")
    assert isinstance(loop, t.For)
    tree = read("__global__ void k(float *a, int n) { LOOP(i, n) { a[i] = 0; } a[0] = 1; }")
    function = functions(tree)["k"]
    assert function.body is not None
    opaque, rest = function.body.body
    assert isinstance(opaque, t.OpaqueStmt)
    assert opaque.cause.kind is CauseKind.MISSING
    assert isinstance(opaque.inner[0], t.Compound)
    assert isinstance(rest, t.ExprStmt)


@pytest.mark.parametrize(
    "head",
    [
        "__global__ void k(int n)",
        "void __global__ k(int n)",
        'extern "C" __global__ void k(int n)',
        "static __global__ void __launch_bounds__(256, 2) k(int n)",
        "template <int B, typename T = float, class... R> __global__ void k(int n)",
        "__attribute__((global)) void k(int n)",
        "__global__ __cluster_dims__(2, 1, 1) void k(int n)",
        "[[maybe_unused]] __global__ void k(const __grid_constant__ int n)",
    ],
)
def test_kernel_heads(head: str) -> None:
    tree = read(head + " { return; }")
    assert not tree.problems
    function = functions(tree)["k"]
    assert function.is_kernel
    assert [p.name for p in function.parameters] == ["n"]


def test_launch_bounds_and_pragmas_survive_the_masks() -> None:
    tree = read(
        "#define T 128\n__global__ void __launch_bounds__(T * 2, 3) k(float *a) {\n#pragma unroll 4\n"
        "for (int i = 0; i < 8; i++) a[i] = 0;\n#pragma unroll\nwhile (a[0]) ;\nfor (;;) break; }"
    )
    function = functions(tree)["k"]
    assert [say(b) for b in function.launch_bounds] == ["(128 * 2)", "3"]
    assert function.body is not None
    assert [getattr(s, "unroll", None) for s in function.body.body] == [4, 0, None]


def test_unsupported_statements_keep_their_readable_parts() -> None:
    tree = read(
        '__global__ void k(int *a, int n) { goto l; l: a[0] = 1; asm volatile("mov %0, %1;" : "=r"(n) : "r"(a[1])); '
        "try { a[2] = 3; } catch (...) { } auto [x, y] = f(); int *q = new int[3]; delete q; }"
    )
    assert not tree.problems
    function = functions(tree)["k"]
    assert function.body is not None
    goto, label, asm, attempt, binding, *_ = function.body.body
    for statement in (goto, label, asm, attempt):
        assert isinstance(statement, t.OpaqueStmt)
        assert statement.cause.kind is CauseKind.UNSUPPORTED
    assert isinstance(label, t.OpaqueStmt)
    assert isinstance(label.inner[0], t.ExprStmt)
    assert isinstance(asm, t.OpaqueStmt)
    assert [say(s.expr) for s in asm.inner if isinstance(s, t.ExprStmt)] == ["(n = <unsupported>)", "a[1]"]
    assert isinstance(binding, t.DeclStmt)
    whole, x, y = binding.declarations
    assert isinstance(whole, t.VarDecl) and isinstance(whole.init, t.Call)
    assert [(d.name, d.init.position) for d in (x, y) if isinstance(d, t.VarDecl) and isinstance(d.init, t.Part)] == [
        ("x", 0),
        ("y", 1),
    ]


def test_control_flow() -> None:
    statements = body(
        "switch (n) { case 1: case 2: w = 1; break; default: ; } if (int i = f(n); i > 2) ; else if (n) { } "
        "if constexpr (4 > 2) return; for (auto &x : v) continue; do n--; while (n > 0);"
    )
    switch, first, static, ranged, loop = statements
    assert isinstance(switch, t.Switch)
    assert isinstance(switch.body, t.Compound)
    assert [type(s).__name__ for s in switch.body.body] == [
        "CaseLabel", "CaseLabel", "ExprStmt", "Break", "CaseLabel", "Empty",
    ]  # fmt: skip
    assert isinstance(first, t.If)
    assert isinstance(first.init, t.DeclStmt)
    assert isinstance(first.otherwise, t.If)
    assert isinstance(static, t.If)
    assert static.is_constexpr
    assert isinstance(ranged, t.RangeFor)
    assert say(ranged.variable.type) == "auto&"
    assert isinstance(loop, t.DoWhile)


def test_records() -> None:
    tree = read(
        "namespace n { template <class T> struct __align__(16) V : public Base<T> { T x, *y; int b : 3; static const int N = 4;"
        "union { int i; float f; }; enum { A, B = 2 }; V(int a) : x(a) { } __device__ T operator()(int i) const { return x; }"
        "__device__ V &operator+=(const V &o); operator float() const { return x; } template <class U> U g(U u); }; }"
        "enum class E : int { P, Q = 3 }; union W { int a; float b; }; typedef struct { int a; } Anonymous, *Pointer;"
        "using I = int; template <> struct n::V<float> { int z; }; namespace m = n; using namespace n;"
    )
    assert not tree.problems
    record = tree.declarations[0]
    assert isinstance(record, t.RecordDef)
    assert (record.name, record.scope, [say(a) for a in record.alignments], record.template is not None) == (
        "V",
        "n",
        ["16"],
        True,
    )
    assert [f.name for f in record.fields] == ["x", "y", "b", ""]
    assert [say(f.bits) for f in record.fields] == ["", "", "3", ""]
    assert [m.name for m in record.methods] == ["V", "operator()", "operator+=", "operator float", "g"]
    assert {m.owner for m in record.methods} == {"V"}
    assert record.methods[0].initialisers[0][0] == "x"
    kinds = [type(d).__name__ for d in tree.declarations[1:]]
    assert kinds == [
        "EnumDef",
        "RecordDef",
        "TypeAlias",
        "TypeAlias",
        "TypeAlias",
        "RecordDef",
        "UsingDecl",
        "UsingDecl",
    ]


@pytest.mark.parametrize("name", ["final", "override", "import"])
def test_words_that_are_keywords_elsewhere_are_names(name: str) -> None:
    assert expression(f"{name}[n] = {name}[0] + n") == f"({name}[n] = ({name}[0] + n))"
    tree = read(f"__global__ void k(int *{name}, int n) {{ if (n) {name}[n] = 1; while (n--) {name} = p; }}")
    assert not tree.problems and functions(tree)["k"].parameters[0].name == name


@pytest.mark.parametrize("head", ["struct S final", "struct S final : A", "template <> struct P<int> final : A"])
def test_heads_that_end_with_keywords(head: str) -> None:
    tree = read(
        "struct A { virtual int f() const; virtual void g() = 0; }; template <class T> struct P { };"
        f"{head} {{ int f() const override final {{ int final = 3; return final; }} void g() override = delete; void h() final; }};"
    )
    assert not tree.problems
    record = tree.declarations[-1]
    assert isinstance(record, t.RecordDef)
    assert [m.name for m in record.methods] == ["f", "g", "h"]


def test_methods_out_of_class() -> None:
    tree = read(
        "struct F { int a; F(int x); __device__ int get(int i) const; int operator()(int i); };"
        "F::F(int x) : a(x) { } __device__ int F::get(int i) const { return a; } int F::operator()(int i) { return i; }"
    )
    assert not tree.problems
    found = [(d.owner, d.name) for d in tree.declarations if isinstance(d, t.FunctionDecl)]
    assert found == [("F", "F"), ("F", "get"), ("F", "operator()")]


def test_spans_are_bytes_of_the_users_text() -> None:
    text = "#define AT(i) a[i]\n__global__ void k(float *a, int n) { /* é😀 */ AT(n) = a[n + 1]; }"
    tree = read(text)
    function = functions(tree)["k"]
    assert function.body is not None
    (statement,) = function.body.body
    assert isinstance(statement, t.ExprStmt)
    assert isinstance(statement.expr, t.Assign)
    data = text.encode()
    target, value = statement.expr.target, statement.expr.value
    assert data[target.span.start : target.span.end] == b"AT(n)"
    assert target.expansion == "AT"
    assert data[value.span.start : value.span.end] == b"a[n + 1]"
    assert isinstance(target, t.Subscript)
    assert data[target.index.span.start : target.index.span.end] == b"n"


@pytest.mark.parametrize(("operator", "count"), [("+", 2000), ("*", 3000), (",", 2000), ("||", 500)])
def test_a_chain_of_operators_is_no_nesting(operator: str, count: int) -> None:
    (statement,) = body(f" {operator} ".join(["n"] * count) + ";")
    assert isinstance(statement, t.ExprStmt)
    node, length = statement.expr, 1
    while isinstance(node, t.Binary):
        assert node.op == operator
        node, length = node.left, length + 1
    assert length == count


@pytest.mark.parametrize("text", ["(" * 300 + "n + " + "n) + " * 300 + "n", " + ".join(["n"] * 5000), "!" * 300 + "n"])
def test_nesting_and_endless_chains_are_opaque(text: str) -> None:
    tree = read(f"__global__ void k(int *p, int n) {{ p[0] = {text}; }}")
    assert "nested too deeply" in {problem.reason for problem in tree.problems}


def test_a_typedef_of_many_words_is_a_type_where_its_size_is_asked_for() -> None:
    tree = read("struct R { typedef typename W<T, L<T, N>::COUNT, M<T, N>::C>::Rooms G; enum { BYTES = sizeof(G) }; };")
    (record,) = tree.declarations
    assert isinstance(record, t.RecordDef)
    (enum,) = (each for each in record.nested if isinstance(each, t.EnumDef))
    size = enum.enumerators[0][1]
    assert isinstance(size, t.SizeOf)
    assert isinstance(size.operand, t.NamedType)
