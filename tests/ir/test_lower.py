"""Lowering of whole kernels: parameters, escapes, depth, unknowns, and that nothing crashes it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.ir.nodes import Assign, If, Kernel, Load, Store, UnknownStmt
from analysis_core.ir.types import PointerType, Space
from analysis_core.ir.walk import statements
from analysis_core.lower.context import Instance
from analysis_core.lower.names.scope import Unit
from analysis_core.lower.relowering import Bodies
from analysis_core.program import lower as lower_module
from analysis_core.program.annotations import Attached
from analysis_core.program.lower import lower
from analysis_core.support.facts import CauseKind
from analysis_core.support.files import MemoryFiles
from analysis_core.support.never import InternalError, never
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read import tree as syn
from analysis_core.text.span import FileId, Span
from tests.ir.lowering import PATH, kernel, module, reasons

HERE = Span(FileId(PATH), 0, 1)


def accesses(found: Kernel) -> list[Load | Store]:
    return [stmt for stmt in statements(found.body) if isinstance(stmt, Load | Store)]


# --- parameters ---------------------------------------------------------------------------------------------------


def test_each_scalar_of_a_parameter_is_a_variable() -> None:
    found = kernel("""
        struct In { float *data; int n; };
        struct P { In in; int size[3]; float2 v; };
        __global__ void k(const float *__restrict__ a, P p, volatile int *q) { a[0]; p.size[1]; }
    """)
    names = [found.variables[v].name for v in found.parameters]
    assert names == ["a", "p.in.data", "p.in.n", "p.v.x", "p.v.y", "q"]
    assert all(found.variables[v].parameter for v in found.parameters)
    first, last = (found.variables[found.parameters[i]].type for i in (0, -1))
    assert isinstance(first, PointerType)
    assert (first.const, first.restrict, first.volatile) == (True, True, False)
    assert isinstance(last, PointerType)
    assert last.volatile
    assert [(o.name, o.space, o.read_only) for o in found.objects] == [("p.size", Space.CONSTANT, True)]


def test_an_array_parameter_is_a_pointer() -> None:
    found = kernel("__global__ void k(float a[16], int b[][4]) { a[1] = b[2][3]; }")
    assert [access.access.width for access in accesses(found)] == [4, 4]
    assert not found.unknowns


def test_only_kernels_of_the_main_file_are_lowered_in_source_order() -> None:
    found = module(
        '#include "other.h"\n__global__ void b() {}\n__global__ void c();\n__global__ void a() {}\n'
        "__device__ void d() {}\nvoid e() {}\n",
        other="__global__ void h() {}\n",
    )
    assert [k.name for k in found.kernels] == ["b", "a"]
    assert "other.h" in found.dependencies


def test_what_the_kernel_says_about_its_launch_is_kept() -> None:
    found = kernel("""
        const int B = 128;
        __global__ void __launch_bounds__(2 * B) k(int *o) { o[threadIdx.y] = blockDim.x + blockIdx.z; }
    """)
    assert found.launch_bounds == 256
    assert found.requested_axes == {1}


# --- places of accesses -------------------------------------------------------------------------------------------


def test_an_access_carries_the_place_and_the_bytes_of_its_lvalue() -> None:
    source = "__global__ void k(float *a, int i) { a[i + 1] += 2.0f; }"
    found = kernel(source)
    load, store = accesses(found)
    for access in (load.access, store.access):
        assert source[access.span.start : access.span.end] == "a[i + 1]"
        assert (access.text, access.width, access.compound, access.via) == ("a[i + 1]", 4, True, ())
    assert load.access.id != store.access.id
    assert load.address == store.address


def test_an_access_made_by_a_macro_stands_at_its_invocation() -> None:
    source = "#define AT(i) a[i]\n__global__ void k(float *a, int n) { AT(n) = 1; }"
    (store,) = accesses(kernel(source))
    assert source[store.access.span.start : store.access.span.end].startswith("AT(n)")
    assert store.access.text == "a[n]"


def test_the_index_of_a_compound_assignment_is_evaluated_once() -> None:
    found = kernel("__global__ void k(float *a, int *j, int i) { a[j[i++]] *= 2; }")
    assert [(type(s).__name__, s.access.text) for s in accesses(found)] == [
        ("Load", "j[i++]"),
        ("Load", "a[j[i++]]"),
        ("Store", "a[j[i++]]"),
    ]


def test_all_extern_shared_arrays_are_one_object() -> None:
    found = kernel("""
        extern __shared__ float s[];
        __device__ void set() { extern __shared__ int other[]; other[0] = 1; }
        __global__ void k() { extern __shared__ double t[]; t[0] = 2; s[1] = 3; set(); }
    """)
    assert [(o.space, o.name) for o in found.objects] == [(Space.SHARED, "t")]
    assert [a.access.width for a in accesses(found)] == [8, 4, 4]


# --- escapes ------------------------------------------------------------------------------------------------------


def test_a_variable_whose_address_is_only_dereferenced_stays_in_a_register() -> None:
    found = kernel("__global__ void k(int *o) { int x = 1; *&x = 2; (&x)[0] += 3; o[0] = x; }")
    assert not found.objects
    assert [a.access.text for a in accesses(found)] == ["o[0]"]


def test_a_variable_whose_address_is_kept_lives_in_local_memory() -> None:
    found = kernel("""
        struct S { int a, b; };
        __global__ void k(int *o, int n) {
            int x = 1; int *p = n ? &x : o; *p = 2;
            S s = {3, 4}; int *q = (int *)&s; q[1] = 5; o[0] = x + s.b;
        }
    """)
    assert [(o.name, o.space) for o in found.objects] == [("x", Space.LOCAL), ("s", Space.LOCAL)]
    assert not found.unknowns


def test_a_scalar_parameter_whose_address_is_kept_is_copied_to_local_memory() -> None:
    found = kernel("__global__ void k(int *o, int n) { int *p = &n; p[0] = 2; o[0] = n; }")
    assert [(o.name, o.space) for o in found.objects] == [("n", Space.LOCAL)]
    first = accesses(found)[0]
    assert isinstance(first, Store)
    assert first.access.text == "n"
    assert [found.variables[v].name for v in found.parameters] == ["o", "n"]


# --- what is not known --------------------------------------------------------------------------------------------


def test_a_missing_name_says_which_headers_are_absent() -> None:
    found = kernel('#include "sizes.h"\n#include <stdio.h>\n__global__ void k(int *o) { o[0] = LIMIT; }')
    assert reasons(found) == [("missing", "`LIMIT` is not declared in this file or its includes (missing: sizes.h)")]


def test_a_missing_name_in_a_constant_position_is_one_opaque_constant() -> None:
    found = kernel("""
        __global__ void k(float *o, int i) {
            __shared__ float t[BLOCK];
            t[threadIdx.x] = o[i * BLOCK];
            switch (i) { case OTHER: o[0] = 1; }
        }
    """)
    assert "`BLOCK` is an integer constant >= 1" in [a.text for a in found.assumptions]
    assert [v.name for v in found.variables if v.parameter] == ["o", "i", "BLOCK"]
    assert reasons(found) == [("unsupported", "a case label that is not a known constant")]


def test_unknowns_are_listed_in_source_order_and_once() -> None:
    found = kernel("__global__ void k(int *o) { for (int i = 0; i < LATER; i++) { o[FIRST] = LATER; } goto a; a: ; }")
    places = [cause.span.start for cause in found.unknowns if cause.span is not None]
    assert places == sorted(places)
    assert len(found.unknowns) == len(set(found.unknowns)) == 5


def test_goto_may_change_everything_in_scope_and_leave() -> None:
    found = kernel("__global__ void k(int *o, int i) { int x = i; if (x) goto out; o[0] = x; out: o[1] = x; }")
    jump = next(s for s in statements(found.body) if isinstance(s, UnknownStmt))
    assert jump.leaves
    assert jump.memory
    assert {found.variables[v].name for v in jump.changes} == {"o", "i", "x"}
    assert jump.cause.kind is CauseKind.UNSUPPORTED


def test_asm_changes_what_its_outputs_name() -> None:
    found = kernel(
        '__global__ void k(int *o, int i) { int x; asm("multimem.x %0, %1;" : "=r"(x) : "r"(i)); o[0] = x + i; }'
    )
    unknown = next(s for s in statements(found.body) if isinstance(s, UnknownStmt))
    assert unknown.changes == ()
    assigned = [found.variables[s.var].name for s in statements(found.body) if isinstance(s, Assign)]
    assert assigned == ["x"]


def test_a_launch_from_a_kernel_changes_memory_only() -> None:
    found = kernel("__global__ void k(int *o, int n) { if (n > 0) k<<<o[n], 32>>>(o + 1, o[n + 1] - 1); }")
    launch = next(s for s in statements(found.body) if isinstance(s, UnknownStmt))
    assert (launch.changes, launch.memory, launch.leaves) == ((), True, False)
    assert [access.access.text for access in accesses(found)] == ["o[n]", "o[n + 1]"]


def test_a_struct_of_an_unknown_type_is_forgotten_when_a_member_is_assigned() -> None:
    found = kernel("__global__ void k(float *o) { Thing t = make(); t.x = 1; o[0] = t.x; }")
    values = [s.value for s in statements(found.body) if isinstance(s, Assign)]
    assert all(type(value).__name__ == "UnknownExpr" for value in values)
    assert len(values) == 2


def test_an_opaque_template_parameter_is_an_assumption() -> None:
    found = kernel("""
        template <typename T, int N, bool B> __global__ void k(T *o) {
            __shared__ T s[N]; s[threadIdx.x] = o[N * threadIdx.x]; if (B) o[0] = s[0];
        }
    """)
    assert {a.text.partition(" ")[0] for a in found.assumptions} == {"`T`", "`N`"}
    assert all(a.access.width == 4 for a in accesses(found))


# --- depth --------------------------------------------------------------------------------------------------------


def hand_made(body: tuple[syn.Stmt, ...]) -> syn.SyntaxTree:
    """A tree that no reader has cut: `__global__ void k(int *o, int i) { body }`."""
    integer = syn.NamedType(span=HERE, name="int")
    declaration = syn.FunctionDecl(
        span=HERE,
        name="k",
        name_span=HERE,
        scope="",
        owner="",
        result=syn.NamedType(span=HERE, name="void"),
        parameters=(
            syn.Parameter(span=HERE, name="o", type=syn.PointerTo(span=HERE, target=integer)),
            syn.Parameter(span=Span(FileId(PATH), 1, 2), name="i", type=integer),
        ),
        qualifiers=frozenset({"__global__"}),
        body=syn.Compound(span=HERE, body=body),
    )
    return syn.SyntaxTree(PATH, (declaration,), (), (), ())


def name(text: str) -> syn.Name:
    return syn.Name(span=HERE, name=text)


def number(value: int) -> syn.Literal:
    return syn.Literal(span=HERE, kind=syn.LiteralKind.INT, text=str(value))


@pytest.mark.parametrize("op", ["+", "&&", ","])
def test_chains_of_operators_are_lowered_without_recursion(op: str) -> None:
    chain: syn.Expr = name("i")
    for i in range(3000):
        chain = syn.Binary(span=HERE, op=op, left=chain, right=number(i + 1))
    body = syn.ExprStmt(span=HERE, expr=syn.Assign(span=HERE, op="=", target=name("i"), value=chain))
    start = time.process_time()
    (found,) = lower(hand_made((body,)), Settings()).kernels
    assert time.process_time() - start < 2
    assert isinstance(found.body[-1], Assign)


def test_a_ladder_of_else_ifs_is_lowered_without_recursion() -> None:
    ladder: syn.Stmt | None = None
    for i in range(1200):
        test = syn.Binary(span=HERE, op="==", left=name("i"), right=number(i))
        store = syn.Assign(
            span=HERE, op="=", target=syn.Subscript(span=HERE, base=name("o"), index=number(i)), value=number(1)
        )
        ladder = syn.If(span=HERE, condition=test, then=syn.ExprStmt(span=HERE, expr=store), otherwise=ladder)
    assert ladder is not None
    (found,) = lower(hand_made((ladder,)), Settings()).kernels
    assert sum(isinstance(s, If) for s in statements(found.body)) == 1200
    assert sum(isinstance(s, Store) for s in statements(found.body)) == 1200


def test_nesting_up_to_the_readers_bound_fits_the_stack() -> None:
    inner: syn.Expr = name("i")
    for _ in range(250):
        inner = syn.Subscript(span=HERE, base=name("o"), index=inner)
    (found,) = lower(hand_made((syn.ExprStmt(span=HERE, expr=inner),)), Settings()).kernels
    assert sum(isinstance(s, Load) for s in statements(found.body)) == 249


# --- never a crash ------------------------------------------------------------------------------------------------

SOURCE = """
struct S { float x; int n[4]; union { int a; float b; }; };
enum { A, B = A + 2 };
template <typename T, int N> __global__ void k(T *p, const S *q, S r, int n) {
    __shared__ float t[N][B + 1];
    extern __shared__ char raw[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = (i > 3 && q[i].n[0]) ? i++ : ~i;
    for (int c = 0; c < n; c += 2) { t[c][A] += (float)p[c * N + j] * q->x; if (c == n / 2) continue; }
    switch (j & 3) { case A: p[0] = r.n[j]; break; case B: default: reinterpret_cast<float4 *>(raw)[i].y = 1; }
    auto f = [&](int a) { return a + r.a; };
    S s = {1.0f, {1, 2}}; S &u = s; u.b = f(i); int *e = &s.n[1]; *e++ = sizeof(S) - (e - s.n);
    do { p[i] = s.x, --i; } while (!(i <= 0));
}
void host(float *d) { k<float, 8><<<4, 64>>>(d, 0, S(), 7); }
"""


def lower_text(source: str) -> None:
    lower(parse(PATH, MemoryFiles({PATH: source.encode()}), Settings()), Settings())


def test_the_text_of_the_mutations_is_lowered_completely() -> None:
    (found,) = module(SOURCE).kernels
    assert reasons(found) == []
    assert found.instantiation == "k<float, 8>"


@given(st.data())
def test_half_typed_text_never_crashes(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(SOURCE)))
    length = data.draw(st.integers(0, 60))
    inserted = data.draw(
        st.sampled_from(["", "(", ")", "{", "}", ";", "*", "&", "N", "S", "q->", "[", "1", ",", "<", "int "])
    )
    lower_text(SOURCE[:start] + inserted + SOURCE[start + length :])


@given(st.lists(st.sampled_from(SOURCE.split(" ")), max_size=60))
def test_shuffled_words_never_crash(words: list[str]) -> None:
    lower_text("__global__ void k(int *p, S q, int n) {" + " ".join(words) + "}")


@pytest.mark.parametrize(
    "source",
    [
        "typedef A B; typedef B A; __global__ void k(A *a) { a[0].x = sizeof(B); }",
        "struct A : A { A a; }; __global__ void k(A *a) { a->a.a = 1; }",
        "const int N = N + 1; __global__ void k(int *o) { int a[N]; o[0] = N; }",
        "enum { A = B, B = A }; __global__ void k(int *o) { o[0] = A + B; }",
        "template <int N> struct F { F<N + 1> next; }; __global__ void k(F<0> *o) { o->next.next = 1; }",
        "template <int N> struct G { static const int v = G<N - 1>::v; }; __global__ void k(int *o) { o[0] = G<3>::v; }",
        "struct U; __global__ void k(U *u, U v) { u[1] = v; *u = *u; u->x(); v.y++; }",
        "__global__ void k(int *o) { int a[-1], b[1 << 40][1 << 40]; a[0] = b[0][0]; o = o - o[0]; }",
        "__global__ void k() { this->x = 1; void *p; *p = 2; p[1]; nullptr[0]; &5; *3; 5(); (1)++; 2 = 3; }",
        "__global__ void k(int a) { int a; { float a[a]; } a.b.c = a->d; auto x = x; int &r = r; auto q; }",
        "__global__ void k(int n) { switch (n) case 1: n = 2; switch (n) { n++; } switch (n) { case 1 ... 3: ; } }",
        "__global__ void k(float4 v) { v.q = 1; v[0] = 2; v + v; -v; v(); (int)v; if (v) v++; v ? v : 1; }",
        "__global__ void k(int x) { for (auto y : x) y; for (int y : {1, 2}) y; while (int z = x) z--; }",
        "struct B { int a : 0; int b : -3; int c : 99; int : 4; }; __global__ void k(B *b) { b->b = b->c; *b = *b; }",
        "template <typename T> struct H { typedef T t; }; template <typename T> struct I : H<T> {}; "
        "template <> struct I<int> : H<float> {}; __global__ void k(I<int>::t *p, I<char>::t *q) { p[0] = q[0]; }",
        "struct X; struct Y : X {}; struct X : Y { int a; }; __global__ void k(X *p, X::q *o) { p->a = o[0]; }",
        "union U { U *u; int i; }; __global__ void k(U *p) { U u = *p; *p = {p}; p[1] = U(); u.u->u->i = 2; }",
    ],
)
def test_odd_programs_give_unknowns_and_no_crash(source: str) -> None:
    module(source)


def test_an_error_of_ours_costs_one_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    original = lower_module.lower_kernel

    def broken(
        unit: Unit, declaration: syn.FunctionDecl, instance: Instance, stated: Attached, bodies: Bodies | None
    ) -> Kernel:
        if declaration.name == "bad":
            never("a test of never")
        return original(unit, declaration, instance, stated, bodies)

    monkeypatch.setattr(lower_module, "lower_kernel", broken)
    tree = parse(PATH, MemoryFiles({PATH: b"__global__ void bad() {}\n__global__ void good() {}"}), Settings())
    with pytest.raises(InternalError):
        lower(tree, Settings())
    told: list[str] = []
    kernels = lower(tree, Settings(), lambda declaration, error: told.append(declaration.name)).kernels
    assert told == ["bad"]
    assert [k.name for k in kernels] == ["bad", "good"]
    assert [len(k.unknowns) for k in kernels] == [1, 0]
