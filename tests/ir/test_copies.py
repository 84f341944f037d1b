"""Copies of class objects: what is not understood says so, and what runs no code costs nothing."""

from __future__ import annotations

from tests.ir.calls_support import body, causes, only

COUNTED = "struct M { int v; __device__ M(int x) : v(x) {} __device__ M(const M &o) : v(o.v + 1) {} };"
GUARD = "struct G { int *at; __device__ G(int *p) : at(p) {} __device__ ~G() { *at = 1; } };"
PLAIN = "struct P { int v; __device__ P(int x) : v(x) {} __device__ P(const P &o) : v(o.v) {} };"


def unknown(statements: str, before: str) -> str:
    return str(causes(only(f"{before} __global__ void k(int *p, int n) {{ {statements} }}")))


def test_the_constructor_that_copies_is_inlined() -> None:
    shown = "\n".join(body("M a(n); M b = a; p[0] = b.v;", before=COUNTED))
    assert shown.count("inlined M {") == 2
    assert "a.v + 1" in shown


def test_a_temporary_is_the_object_itself() -> None:
    assert "\n".join(body("M b = M(n); p[0] = b.v;", before=COUNTED)).count("inlined M {") == 1


def test_a_constructor_that_copies_members_is_no_code() -> None:
    assert "\n".join(body("P a(n); P b = a; p[0] = b.v;", before=PLAIN)).count("inlined P {") == 1


def test_which_constructor_copies_may_be_undecided() -> None:
    either = "struct E { int v; __device__ E(int x) : v(x) {} __device__ E(const E &o) : v(1) {} __device__ E(E &o) : v(2) {} };"
    assert "which constructor of `E` copies is not decided" in unknown("E a(n); E b = a; p[0] = b.v;", before=either)


def test_a_constructor_without_a_body_is_missing() -> None:
    declared = "struct D { int v; __device__ D(int x) : v(x) {} __device__ D(const D &o); };"
    assert "the definition of 'D' is not visible" in unknown("D a(n); D b = a; p[0] = b.v;", before=declared)


def test_variables_are_destroyed_before_a_return() -> None:
    shown = body("G g(p); if (n) return; p[1] = 2;", before=GUARD)
    assert "\n".join(shown).count("inlined ~G {") == 2


def test_temporary_objects_with_destructors_are_unknown() -> None:
    assert "a temporary object is destroyed" in unknown("G(p); p[1] = 2;", before=GUARD)


def test_parameters_with_destructors_are_unknown() -> None:
    taking = GUARD + " __device__ int f(G g) { return 3; }"
    assert "a temporary object is destroyed" in unknown("G g(p); p[1] = f(g);", before=taking)


def test_swapped_objects_with_copies_of_their_own_are_unknown() -> None:
    assert "'std::swap': function" in unknown("M a(n), b(2); std::swap(a, b); p[0] = a.v;", before=COUNTED)


def test_an_anonymous_union_takes_one_item() -> None:
    union = "struct U { int a; union { int i; float f; }; int z; };"
    assert body("U u = {1, {n}, 3}; p[u.z] = u.i;", before=union)[-1].startswith("store[4]")
    assert not unknown("U u = {1, {n}, 3}; p[u.z] = u.i;", before=union).strip("[]")


def test_an_arrow_asks_the_operator_of_the_class() -> None:
    optional = "struct O { int v; __device__ int operator*() const { return v; } __device__ const O *operator->() const { return this; }"
    optional += " __device__ int twice() const { return 2 * v; } };"
    assert not unknown("O o{n}; p[0] = o->twice() + *o;", before=optional).strip("[]")


def test_one_of_two_objects_is_not_moved_from() -> None:
    for spelled in ("std::move(n ? a : b)", "static_cast<M &&>(n ? a : b)"):
        assert unknown(f"M a(n), b(2); M c = {spelled}; p[0] = c.v;", before=COUNTED).strip("[]")
