"""Launch sites and instances: constant shapes, followed variables, host templates, function pointers."""

from __future__ import annotations

import pytest

from analysis_core.ir.launch_site import LaunchSite
from tests.ir.calls_support import kernels, lines, only
from tests.ir.lowering import module

PLAIN = "__global__ void k(float *p, int n) { p[n] = 0; }\n"
TEMPLATE = "template <typename T, int B> __global__ void k(T *p, int n) { p[n * B] = 0; }\n"


def sites(host: str, kernel: str = PLAIN) -> tuple[LaunchSite, ...]:
    return only(kernel + host).launches


@pytest.mark.parametrize(
    ("host", "block"),
    [
        ("void f(float *p) { k<<<4, 128>>>(p, 1); }", (128, 1, 1)),
        ("void f(float *p) { dim3 b(16, 8); k<<<4, b>>>(p, 1); }", (16, 8, 1)),
        ("void f(float *p) { dim3 b; b.x = 16; b.y = 4; k<<<4, b>>>(p, 1); }", (16, 4, 1)),
        ("void f(float *p) { dim3 b; b = dim3(8, 8, 2); k<<<4, b>>>(p, 1); }", (8, 8, 2)),
        ("void f(float *p) { k<<<4, dim3(32, 2)>>>(p, 1); }", (32, 2, 1)),
        ("#define B 64\nvoid f(float *p) { const int t = B * 2; k<<<4, t>>>(p, 1); }", (128, 1, 1)),
        ("void f(float *p) { int t = 64; t = t * 2; k<<<4, t>>>(p, 1); }", (128, 1, 1)),
        ("void f(float *p) { int t = 64; k<<<4, t>>>(p, 1); t = 32; }", (64, 1, 1)),
        ("enum { E = 96 }; void f(float *p) { k<<<4, E>>>(p, 1); }", (96, 1, 1)),
        ("void f(float *p, int t) { k<<<4, t>>>(p, 1); }", None),
        ("void f(float *p, int t) { int b = 64; if (t) b = 64; k<<<4, b>>>(p, 1); }", (64, 1, 1)),
        ("void f(float *p) { int b = 32; for (int i = 0; i < 3; i++) { k<<<4, b>>>(p, 1); b *= 2; } }", None),
        ("void choose(int &b); void f(float *p) { int b = 32; choose(b); k<<<4, b>>>(p, 1); }", None),
        ("void choose(int *b); void f(float *p) { int b = 32; choose(&b); k<<<4, b>>>(p, 1); }", None),
        ("void f(float *p) { k<<<1, 4096>>>(p, 1); }", None),
        ("void f(void **a) { cudaLaunchKernel((void *)k, dim3(4), dim3(64, 2), a, 0, 0); }", (64, 2, 1)),
        ("void f(void **a) { cudaLaunchCooperativeKernel(k, 4, 64, a); }", (64, 1, 1)),
        (
            "void f(float *p) { cudaLaunchConfig_t c; c.gridDim = 4; c.blockDim = dim3(32, 4); "
            "cudaLaunchKernelEx(&c, k, p, 1); }",
            (32, 4, 1),
        ),
        ("void f(float *p) { auto q = k; q<<<4, 32>>>(p, 1); }", (32, 1, 1)),
        ("void f(float *p, int n) { dim3 b; dim3 &r = b; b.x = 64; r.x = n; k<<<4, b>>>(p, 1); }", None),
        ("void f(float *p, int n) { dim3 b; dim3 &r = b; r.x = 64; b.x = n; k<<<4, r>>>(p, 1); }", None),
        ("void f(float *p, int n) { int b = 32; const int &r = b; b = n; k<<<4, r>>>(p, 1); }", None),
        ("void f(float *p) { int b = 32; const int &r = b; k<<<4, r>>>(p, 1); }", (32, 1, 1)),
        ("void f(float *p) { check(([&] { k<<<4, 32>>>(p, 1); })()); }", (32, 1, 1)),
    ],
)
def test_block_shapes(host: str, block: tuple[int, int, int] | None) -> None:
    (site,) = sites(host)
    assert site.block == block


@pytest.mark.parametrize(
    ("body", "widths"),
    [
        ("int b = 64; if (t) b = 128; k<<<4, b>>>(p, 1);", [64, 128]),
        ("int b = t ? 64 : 128; k<<<4, b * 2>>>(p, 1);", [128, 256]),
        ("int b; if (t) b = 64; else if (t < 5) b = 96; else b = 128; k<<<4, b>>>(p, 1);", [64, 96, 128]),
        ("int b; switch (t) { case 1: b = 64; break; default: b = 32; } k<<<4, b>>>(p, 1);", [32, 64]),
        ("int b; switch (t) { case 1: if (p) break; b = 64; break; default: b = 32; } k<<<4, b>>>(p, 1);", [None]),
        ("int b; if (t) b = 64; k<<<4, b>>>(p, 1);", [None]),
        ("int b = 64; if (t > 9) { b = 0; return; } k<<<4, b>>>(p, 1);", [64]),
        ("int b = min(t, 96); k<<<4, b>>>(p, 1);", [96]),
        ("int b = min(t, 96); b = t; k<<<4, b>>>(p, 1);", [None]),
        ("int b = min(t, 96); if (b == 5) b = 64; k<<<4, b>>>(p, 1);", [None]),
        ("int b = t < 96 ? t : 96; k<<<4, b>>>(p, 1);", [96]),
        ("k<<<4, t > 96 ? 96 : t>>>(p, 1);", [96]),
        ("k<<<4, t > 96 ? t : 96>>>(p, 1);", [None]),
        ("k<<<4, std::min(t, 96) + 32>>>(p, 1);", [128]),
        ("auto go = [&](int b) { k<<<4, b>>>(p, 1); }; go(64); go(32);", [32, 64]),
        ("int b = 64; auto go = [=] { k<<<4, b>>>(p, 1); }; b = 32; go();", [64]),
        ("int b = 64; auto go = [&] { k<<<4, b>>>(p, 1); }; b = 32; go();", [32]),
        ("int b = 64; auto go = [&] { k<<<4, b>>>(p, 1); }; { int b = 32; go(); }", [64]),
        ("int b = 64; dispatch(t, [&](auto x) { k<<<4, b * x>>>(p, 1); });", [None]),
        ("auto go = [&](auto b) { k<<<4, decltype(b)::value>>>(p, 1); }; go(std::integral_constant<int, 96>());", [96]),
        ("auto go = [&](auto b) { int n = b; k<<<4, n>>>(p, 1); }; go(std::integral_constant<int, 96>());", [96]),
        ("dim3 b(std::min(t, 96)); k<<<4, b>>>(p, 1);", [96]),
        ("dim3 b(std::min(t, 96)); b.x = t; k<<<4, b>>>(p, 1);", [None]),
        ("int b = (t + 31) / 32 * 32; k<<<4, b>>>(p, 1);", [256]),
        ("k<<<4, (t + 31) / 32 * 32>>>(p, 1);", [256]),
        ("k<<<4, (t + 31) / 32 * 33>>>(p, 1);", [None]),
        ("int g, b; cudaOccupancyMaxPotentialBlockSize(&g, &b, k, 0, 0); k<<<g, b>>>(p, 1);", [1024]),
        ("int g, b; check(cudaOccupancyMaxPotentialBlockSize(&g, &b, k, 0, 128)); k<<<g, b>>>(p, 1);", [128]),
        ("int g, b; cudaOccupancyMaxPotentialBlockSize(&g, &b, k); b = t; k<<<g, b>>>(p, 1);", [None]),
        ("cudaDeviceProp d; cudaGetDeviceProperties(&d, 0); k<<<4, dim3(d.warpSize, 4)>>>(p, 1);", [32]),
        ("int b = 32; b *= 2; k<<<4, b>>>(p, 1);", [64]),
        ("int m = maxThreads(); int b = t < m ? t : m; k<<<4, b>>>(p, 1);", [1024]),
        ("int b = min(t, 64); dim3 d(b * 2); k<<<4, d>>>(p, 1);", [128]),
        ("int b = min(t, 64); dim3 d(b * 2); b = t; k<<<4, d>>>(p, 1);", [None]),
        ("{ int b = min(t, 64); } int b = t; k<<<4, b>>>(p, 1);", [None]),
        ("if (t / 3 == 64) k<<<4, t / 3>>>(p, 1);", [64]),
        (
            "int w = min(t, 96); cudaLaunchConfig_t c; c.blockDim = dim3(w, 2); if (t) cudaLaunchKernelEx(&c, k, p, 1); "
            "else cudaLaunchKernelEx(&c, k, p, 2);",
            [96],
        ),
        ("cudaLaunchConfig_t c; c.blockDim = dim3(96); change(&c); cudaLaunchKernelEx(&c, k, p, 1);", [None]),
        (
            "int w = min(t, 96); cudaLaunchConfig_t c; c.blockDim = dim3(w, 2); c.stream = 0; cudaLaunchKernelEx(&c, k, p, 1);",
            [96],
        ),
        ("if (t / 3 == 64) { t++; k<<<4, t / 3>>>(p, 1); }", [None]),
    ],
)
def test_blocks_of_several_shapes(body: str, widths: list[int | None]) -> None:
    found = {None if site.block is None else site.block[0] for site in sites(f"void f(float *p, int t) {{ {body} }}")}
    assert found == set(widths)


def test_of_too_many_shapes_some_are_told_and_the_rest_is_said() -> None:
    tests = " ".join(f"int b{i} = {2**i}; if (t == {i}) b{i} = 0;" for i in range(9))
    total = " + ".join(f"b{i}" for i in range(9))
    found = [site.block for site in sites(f"void f(float *p, int t) {{ {tests} k<<<4, {total}>>>(p, 1); }}")]
    assert None in found and 2 < len(found) < 16


def test_the_most_that_a_block_is_decides_nothing_else() -> None:
    body = "int b = min(t, 96); if (b > 64) k<<<4, 32>>>(p, 1); else k<<<4, 64>>>(p, 1); k<<<4, b>>>(p, 1);"
    found = sites(f"void f(float *p, int t) {{ {body} }}")
    assert [(site.block, site.dead) for site in found] == [
        ((32, 1, 1), False),
        ((64, 1, 1), False),
        ((96, 1, 1), False),
    ]
    assert [a.text for a in found[2].rests_on] == ["`b` is 96, the most that `min(t, 96)` is"]


MADE = """
struct Shape { dim3 grid, block; int bytes; Shape(dim3 g, dim3 b, int n) : grid(g), block(b), bytes(n) {} };
struct Plain { dim3 grid, block; };
struct Wide { int lanes = 32; int rows; Wide(int n) { rows = n / 2; } };
int threads = 64;
inline int twice(int n) { return 2 * n; }
inline int held() { return threads; }
inline dim3 tall(int n) { return dim3(32, n); }
template <class K> void start(K kernel, const Shape &s, float *p) { kernel<<<s.grid, s.block>>>(p, 1); }
template <class F> void choose(bool wide, F f) { if (wide) f(128); else f(32); }
"""


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("Shape s(n, 96, 0); k<<<s.grid, s.block>>>(p, 1);", [(96, 1, 1)]),
        ("Shape s{dim3(n), dim3(8, 4), 0}; k<<<s.grid, s.block>>>(p, 1);", [(8, 4, 1)]),
        ("Shape s(n, 96, 0); s.block = n; k<<<s.grid, s.block>>>(p, 1);", [None]),
        ("const Shape s = Shape(n, 96, 0); start(k, s, p);", [(96, 1, 1)]),
        ("start(k, Shape(n, 96, 0), p);", [(96, 1, 1)]),
        ("dim3 b(16, 2); Plain s{n, b}; k<<<s.grid, s.block>>>(p, 1);", [(16, 2, 1)]),
        ("Wide w(8); k<<<4, w.lanes * w.rows>>>(p, 1);", [(128, 1, 1)]),
        ("k<<<4, twice(48)>>>(p, 1);", [(96, 1, 1)]),
        ("k<<<4, held()>>>(p, 1);", [None]),
        ("k<<<4, tall(4)>>>(p, 1);", [(32, 4, 1)]),
        ("choose(n > 4, [&](int b) { k<<<4, b>>>(p, 1); });", [(32, 1, 1), (128, 1, 1)]),
    ],
)
def test_blocks_that_records_and_functions_of_the_host_make(
    body: str, blocks: list[tuple[int, int, int] | None]
) -> None:
    found = {site.block for site in sites(f"{MADE}void f(float *p, int n) {{ {body} }}")}
    assert found == set(blocks)


def test_what_a_block_is_made_of_follows_what_a_test_says() -> None:
    # 256 / t rows of t threads: by t = 8 32 rows, else as many as 64 threads leave room for.
    body = (
        "int t = n < 64 ? n : 64; int r = 256 / t; dim3 b(t, r); if (t == 8) k<<<4, b>>>(p, 1); else k<<<4, b>>>(p, 2);"
    )
    found = sites(f"void f(float *p, int n) {{ {body} }}")
    assert [site.block for site in found] == [(8, 32, 1), (64, 4, 1)]
    assert [[a.text for a in site.rests_on] for site in found] == [
        [],
        ["`t` is 64, the most that `n < 64 ? n : 64` is"],
    ]


def test_of_functions_of_one_name_those_that_launch_are_followed() -> None:
    host = "template <class T> void run(T *p, T n) { p[0] = n; }\ntemplate <class T> void run(T *p) { k<<<4, 96>>>(p, 1); }\n"
    (site,) = sites(host + "void f(float *p) { run(p, 1.0f); run(p); }")
    assert site.block == (96, 1, 1)


def test_a_kernel_and_its_block_are_chosen_by_one_condition() -> None:
    host = "void f(float *p, bool b) { auto q = b ? k<float, 8> : k<float, 16>; q<<<4, b ? 8 : 16>>>(p, 1); }"
    found = {k.instantiation: [site.block for site in k.launches] for k in kernels(TEMPLATE + host).values()}
    assert found == {"k<float, 8>": [(8, 1, 1)], "k<float, 16>": [(16, 1, 1)]}


def test_texts_and_grid() -> None:
    (site,) = sites("void f(float *p, int n) { dim3 g(n / 16, 4); k<<<g, dim3(16, 16)>>>(p, n); }")
    assert (site.block_text, site.grid_text, site.grid) == ("16, 16", "g", (None, 4, 1))


def test_every_site_of_a_kernel_in_order() -> None:
    found = sites("void f(float *p) { k<<<1, 32>>>(p, 1); k<<<1, 64>>>(p, 1); }\nint main() { k<<<1, 96>>>(0, 1); }")
    assert [site.block for site in found] == [(32, 1, 1), (64, 1, 1), (96, 1, 1)]


def test_elements_of_arrays_that_keep_their_values_are_known() -> None:
    (site,) = sites("void f(float *p, int n) { size_t s[3] = {8 * 4, n}; k<<<n, dim3(s[0], s[2] + 2)>>>(p, 1); }")
    assert site.block == (32, 2, 1)
    for change in ("s[0] = n;", "s[0]++;", "g(s);", "g(&s[0]);", "size_t *q = s;", "size_t &q = s[0];"):
        (site,) = sites(f"void f(float *p, int n) {{ size_t s[2] = {{32, n}}; {change} k<<<n, s[0]>>>(p, 1); }}")
        assert site.block is None, change
    (site,) = sites("void f(float *p, int n) { size_t s[2] = {32, n}; k<<<n, s[n]>>>(p, 1); }")
    assert site.block is None


def test_null_is_seen_where_it_is_passed() -> None:
    (site,) = sites("void f(float *p, int n) { k<<<1, 32>>>(nullptr, n); }")
    assert [(one.name, one.least, one.most) for one in site.arguments.ranges] == [("p", 0, 0)]


def test_offset_arguments_say_what_alignment_is_left() -> None:
    (site,) = sites("void f(float *p, int m) { k<<<1, 32>>>(p + 2, 1); }")
    assert site.arguments.aligned == (("p", 8),)
    (site,) = sites("void f(float *p, int m) { k<<<1, 32>>>(&p[m], 1); }")
    assert site.arguments.aligned == (("p", 4),)
    (site,) = sites("void f(float *p, int m) { k<<<1, 32>>>(p + 64, 1); }")
    assert site.arguments.aligned == ()


def test_instances_are_the_arguments_of_the_launches() -> None:
    found = kernels(
        TEMPLATE + "void f(float *p, double *d) { k<float, 4><<<1, 32>>>(p, 1); k<double, 2><<<1, 64>>>(d, 1); }"
    )
    assert list(found) == ["k<float, 4>", "k<double, 2>"]
    assert lines(found["k<double, 2>"]) == ["store[8] p + {n * 2 * 8} <- 0.0"]
    assert [site.block for site in found["k<float, 4>"].launches] == [(32, 1, 1)]
    assert found["k<float, 4>"].launches[0].template_args == ("float", "4")


def test_arguments_are_deduced_from_what_is_passed() -> None:
    source = "template <typename T> __global__ void k(T *p, int n) { p[n] = 0; }\n"
    found = kernels(source + "struct S { short *d; }; void f(S s) { k<<<1, 32>>>(s.d, 1); }")
    assert list(found) == ["k<short>"]


def test_host_templates_hand_their_arguments_on() -> None:
    host = """
    template <class T, int B> void inner(T *p) { k<T, B><<<1, B>>>(p, 1); }
    template <class T> void outer(T *p) { inner<T, 64>(p); inner<T, 128>(p); }
    int main() { float *p; outer(p); outer<int>(0); }
    """
    found = kernels(TEMPLATE + host)
    assert sorted(found) == ["k<float, 128>", "k<float, 64>", "k<int, 128>", "k<int, 64>"]
    assert found["k<int, 128>"].launches[0].block == (128, 1, 1)


def test_a_switch_launches_several_instances() -> None:
    host = """
    void f(float *p, int threads) {
      switch (threads) {
        case 64: k<float, 64><<<1, threads>>>(p, 1); break;
        case 32: k<float, 32><<<1, threads>>>(p, 1); break;
      }
    }
    """
    assert list(kernels(TEMPLATE + host)) == ["k<float, 64>", "k<float, 32>"]


def blocks(host: str) -> dict[str, tuple[int, int, int] | None]:
    return {name: kernel.launches[0].block for name, kernel in kernels(TEMPLATE + host).items()}


def test_a_case_tells_the_variable_and_what_was_made_of_it() -> None:
    host = """
    void f(float *p, int threads) {
      dim3 block(threads, 2, 1);
      switch (threads) {
        case 64: k<float, 64><<<1, block>>>(p, 1); break;
        case 32: k<float, 32><<<1, threads>>>(p, 1); break;
        case 16:
        case 8: k<float, 8><<<1, block>>>(p, 1); break;
        default: k<float, 1><<<1, threads>>>(p, 1);
      }
    }
    """
    found = blocks(host)
    assert found["k<float, 64>"] == (64, 2, 1)
    assert found["k<float, 32>"] == (32, 1, 1)
    assert found["k<float, 8>"] is None
    assert found["k<float, 1>"] is None


def test_a_case_tells_nothing_of_what_is_assigned_in_between() -> None:
    host = """
    void f(float *p, int threads, int rows) {
      dim3 block(threads, rows);
      dim3 other(threads);
      rows = *(int *)p;
      other.y = rows;
      switch (threads) {
        case 64: k<float, 64><<<1, block>>>(p, 1); break;
        case 32: threads = 7; k<float, 32><<<1, threads>>>(p, 1); break;
        case 16: k<float, 16><<<1, other>>>(p, 1); break;
      }
      dim3 third(rows);
      switch (rows) {
        case 4: third = dim3(2, 2); k<float, 4><<<1, third>>>(p, 1); break;
        case 8: k<float, 8><<<1, third>>>(p, 1); break;
      }
    }
    """
    assert blocks(host) == {
        "k<float, 64>": None, "k<float, 32>": (7, 1, 1), "k<float, 16>": None, "k<float, 4>": (2, 2, 1),
        "k<float, 8>": None,
    }  # fmt: skip


def test_a_test_for_one_number_tells_the_variable() -> None:
    host = """
    void f(float *p, unsigned threads, bool wide) {
      dim3 block(threads);
      if (threads == 64 && wide) k<float, 64><<<1, block>>>(p, 1);
      else if (32 == threads) k<float, 32><<<1, block>>>(p, 1);
      else k<float, 1><<<1, block>>>(p, 1);
      k<float, 2><<<1, block>>>(p, 1);
    }
    """
    assert blocks(host) == {
        "k<float, 64>": (64, 1, 1), "k<float, 32>": (32, 1, 1), "k<float, 1>": None, "k<float, 2>": None
    }  # fmt: skip


def test_function_pointers_keep_all_that_they_may_be() -> None:
    host = """
    void f(float *p, int c) {
      void (*q)(float *, int) = k<float, 1>;
      if (c) q = &k<float, 2>;
      q<<<1, 32>>>(p, 1);
    }
    """
    assert list(kernels(TEMPLATE + host)) == ["k<float, 1>", "k<float, 2>"]


def test_instances_with_classes_of_the_program() -> None:
    source = """
    template <class T> struct Pair { T a, b; __device__ T sum() const { return a + b; } };
    template <class P, class F> __global__ void k(P *p, F f) { p[threadIdx.x].a = f(p[0].sum()); }
    struct Half { __device__ int operator()(int x) const { return x / 2; } };
    void f(Pair<int> *p) { k<<<1, 32>>>(p, Half()); }
    """
    found = kernels(source)
    assert list(found) == ["k<Pair<int32>, Half>"]
    assert "inlined sum {" in lines(next(iter(found.values())))
    assert not next(iter(found.values())).unknowns


def test_a_template_that_nobody_launches_is_opaque() -> None:
    kernel = only(TEMPLATE)
    assert kernel.instantiation is None
    texts = [a.text for a in kernel.assumptions]
    assert any("`T`" in text for text in texts)
    assert any("`B`" in text for text in texts)


def test_more_than_eight_instances_are_cut_with_a_note() -> None:
    calls = " ".join(f"k<float, {i}><<<1, 32>>>(p, 1);" for i in range(1, 12))
    found = kernels(TEMPLATE + f"void f(float *p) {{ {calls} }}")
    assert list(found) == [f"k<float, {i}>" for i in range(1, 9)]
    assert "11 instantiations of `k` are launched here; the first 8 are analysed" in [
        a.text for a in found["k<float, 1>"].assumptions
    ]


def test_explicit_specialisations_are_kernels_of_their_own() -> None:
    source = """
    template <class T> __global__ void k(T *p) { p[0] = 1; }
    template <> __global__ void k<int>(int *p) { p[0] = 2; }
    void f(float *p) { k<<<1, 32>>>(p); }
    """
    assert sorted(kernels(source)) == ["k<float>", "k<int>"]


def instances(source: str) -> list[str | None]:
    return [found.instantiation for found in module(source).kernels]


HOST_TEMPLATE = TEMPLATE + "template <typename T> void run(T *p, int n) { k<T, 2><<<1, 64>>>(p, n); }\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("template void run<float>(float *, int);", ["k<float, 2>"]),
        (
            "template void run<double>(double *p, int n); template void run<int>(int *, int);",
            ["k<double, 2>", "k<int, 2>"],
        ),
        ("template void run(char *, int);", ["k<char, 2>"]),
        ("extern template void run<short>(short *, int);", ["k<short, 2>"]),
        ("template __global__ void k<float, 8>(float *, int);", ["k<float, 8>"]),
        ("template class Absent<float>;", ["k<?, 2>"]),
    ],
)
def test_explicit_instantiations(text: str, expected: list[str | None]) -> None:
    assert instances(HOST_TEMPLATE + text) == expected


def test_a_kernel_instantiated_without_a_launch() -> None:
    found = only(TEMPLATE + "template __global__ void k<float, 8>(float *, int);")
    assert (found.instantiation, found.launches) == ("k<float, 8>", ())


@pytest.mark.parametrize(
    ("host", "blocks"),
    [
        # What callers hand over, one launch for each shape.
        ("void f(float *p, int t) { k<<<4, t>>>(p, 1); }\nint main() { f(0, 32); f(0, 64); f(0, 32); }", [32, 64]),
        ("void f(float *p, const dim3 &b) { k<<<4, b>>>(p, 1); }\nint main() { dim3 b(8, 4); f(0, b); }", [8]),
        ("void f(float *p, int t = 32) { k<<<4, t * 2>>>(p, 1); }\nint main() { f(0); }", [64]),
        ("void f(float *p, int t) { k<<<4, t>>>(p, 1); }\nint main(int n) { f(0, 32); f(0, n); }", [32, None]),
        (
            "void f(float *p, int t) { k<<<4, t>>>(p, 1); }\nint main() { void (*g)(float *, int) = f; g(0, 32); }",
            [None],
        ),
        (
            "void f(float *p, dim3 b) { k<<<4, b>>>(p, 1); }\nvoid g(float *p, int w) { dim3 b(w, 4); f(p, b); }\n"
            "int main() { g(0, 8); g(0, 16); }",
            [8, 16],
        ),
        ("void f(float *p, int t, int n) { if (n) f(p, t, n - 1); k<<<4, t>>>(p, 1); }", [None]),
        # Variables of file scope that nothing assigns.
        ("unsigned t = 64;\nvoid f(float *p) { size_t b = (t / 8); k<<<4, b>>>(p, 1); }", [8]),
        ("static dim3 b(16, 2);\nvoid f(float *p) { k<<<4, b>>>(p, 1); }", [16]),
        ("unsigned t = 64;\nvoid f(float *p, int t) { k<<<4, t>>>(p, 1); }", [None]),
        ("unsigned t = 64;\nvoid f(float *p) { k<<<4, t>>>(p, 1); }\nvoid g() { t = 32; }", [None]),
        ("unsigned t = 64;\nvoid f(float *p) { k<<<4, t>>>(p, 1); }\nvoid g() { scan(&t); }", [None]),
        ("unsigned t = 64;\nvoid f(float *p) { k<<<4, t>>>(p, 1); }\nvoid g() { in >> t; }", [None]),
        ("unsigned t = 64;\nvoid r(unsigned &x);\nvoid f(float *p) { k<<<4, t>>>(p, 1); }\nvoid g() { r(t); }", [None]),
        ("unsigned t = 64;\nvoid f(float *p) { k<<<4, t>>>(p, 1); }\nvoid g() { unsigned &r = t; r = 1; }", [None]),
        ("extern unsigned t;\nvoid f(float *p) { k<<<4, t>>>(p, 1); }", [None]),
    ],
)
def test_blocks_that_callers_and_variables_decide(host: str, blocks: list[int | None]) -> None:
    assert [None if site.block is None else site.block[0] for site in sites(host)] == blocks


def test_what_a_block_rests_on_is_said() -> None:
    (site,) = sites("int t = 64, u = 2;\nvoid f(float *p) { k<<<4, t>>>(p, u); }")
    assert [a.text for a in site.rests_on] == ["`t` keeps its value: nothing in view assigns it"]
    (site,) = sites("static int t = 64;\nvoid f(float *p) { k<<<4, t>>>(p, 1); }")
    assert site.rests_on == ()


@pytest.mark.parametrize(
    ("host", "seen"),
    [
        ("void f(float *p) { for (int i = 0; i < 9; i++) k<<<1, 32>>>(p, i); }", (0, None, 1)),
        ("void f(float *p) { int i = 3; while (more()) { k<<<1, 32>>>(p, (int)i); i += 2; } }", (3, None, 2)),
        ("void f(float *p, int i) { for (i = 8; i < 9; ++i) { int j; k<<<1, 32>>>(p, i); } }", (8, None, 1)),
        ("void f(float *p, int i) { while (more()) { k<<<1, 32>>>(p, i); i += 2; } }", None),
        ("void f(float *p) { int i = 1; while (more()) { k<<<1, 32>>>(p, i); i *= 2; } }", None),
        ("void f(float *p) { int i = 1; while (more()) { k<<<1, 32>>>(p, i); i++; if (more()) i = 100; } }", None),
        ("void f(float *p) { int i = 1; while (more()) { k<<<1, 32>>>(p, i); i++; change(&i); } }", None),
        ("void f(float *p) { for (int i = 0; i < 9; i++) { int i = size(); k<<<1, 32>>>(p, i); } }", None),
        ("void f(float *p) { int i = 0; while (more()) i++; k<<<1, 32>>>(p, i); }", None),
    ],
)
def test_what_loops_of_the_host_count(host: str, seen: tuple[int, int | None, int] | None) -> None:
    (site,) = sites(host)
    assert [(r.name, r.least, r.most, r.step) for r in site.arguments.ranges] == (
        [] if seen is None else [("n", *seen)]
    )


@pytest.mark.parametrize(
    ("host", "seen"),
    [
        ("k<<<1, 32>>>(p, 7 * 4);", 28),
        ("int m = 4, n = m * 2; k<<<1, 32>>>(p, (unsigned)n);", 8),
        ("int n; n = N; k<<<1, 32>>>(p, n); n = 5;", 100),
        ("int n = 4; if (more()) n = 5; k<<<1, 32>>>(p, n);", None),
        ("int n = 4; read(&n); k<<<1, 32>>>(p, n);", None),
        ("int n = 4; in >> n; k<<<1, 32>>>(p, n);", None),
        ("int n = 4; in >> other >> n; k<<<1, 32>>>(p, n);", None),
        ("int n = 4, m = 64 >> n; k<<<1, 32>>>(p, n);", 4),
        ("int n = 4; while (more()) { k<<<1, 32>>>(p, n); n *= 2; }", None),
    ],
)
def test_what_is_passed(host: str, seen: int | None) -> None:
    (site,) = sites(f"const int N = 100; std::ifstream in; void f(float *p) {{ {host} }}")
    assert [(r.name, r.least, r.most, r.condition) for r in site.arguments.ranges] == (
        [] if seen is None else [("n", seen, seen, False)]
    )


@pytest.mark.parametrize(
    ("host", "seen"),
    [
        ("if (n < 32) k<<<1, 32>>>(p, n);", (None, 31)),
        ("if (n >= 32 && m) { k<<<1, 32>>>(p, (int)n); }", (32, None)),
        ("if (n >= 32) m = 1; else if (8 <= n) k<<<1, 32>>>(p, n);", (8, 31)),
        ("if (n < 32 || m) m = 1; else k<<<1, 32>>>(p, n);", (32, None)),
        ("if (!(n == 5)) m = 1; else k<<<1, 32>>>(p, n);", (5, 5)),
        ("if (n == 5) m = 1; else k<<<1, 32>>>(p, n);", None),
        ("if (n < 32 || m) k<<<1, 32>>>(p, n);", None),
        ("if (n < 32) { n = m; k<<<1, 32>>>(p, n); }", None),
        ("if (n < 32) while (m) { k<<<1, 32>>>(p, n); n++; }", None),
        ("if (n < 32) { int n = m; k<<<1, 32>>>(p, n); }", None),
        ("if (n < 32) m = 1; k<<<1, 32>>>(p, n);", None),
        ("if (n < 32) k<<<1, 32>>>(p, m);", None),
    ],
)
def test_what_conditions_of_the_host_say(host: str, seen: tuple[int | None, int | None] | None) -> None:
    (site,) = sites(f"void f(float *p, int n, int m) {{ {host} }}")
    assert [(r.name, r.least, r.most) for r in site.arguments.ranges] == ([] if seen is None else [("n", *seen)])
    assert all(r.condition for r in site.arguments.ranges)


@pytest.mark.parametrize(
    ("host", "blocks"),
    [
        ("if (0) k<<<1, 64>>>(p, n);", [((64, 1, 1), True)]),
        ("bool on = false; int b = 8; if (on) { b = 16; k<<<1, b>>>(p, n); }", [((16, 1, 1), True)]),
        ("if (1) n = 2; else { if (n) k<<<1, 32>>>(p, n); }", [((32, 1, 1), True)]),
        ("if (0) k<<<1, 64>>>(p, n); k<<<1, 32>>>(p, n);", [((32, 1, 1), False)]),
        ("int b = 8; if (0) b = 16; k<<<1, b>>>(p, n);", [((8, 1, 1), False)]),
    ],
)
def test_launches_that_a_constant_condition_leaves_out(
    host: str, blocks: list[tuple[tuple[int, int, int], bool]]
) -> None:
    assert [(s.block, s.dead) for s in sites(f"void f(float *p, int n) {{ {host} }}")] == blocks


LAUNCHER = "void run(float *p, int m) { k<<<m / 32, 32>>>(p, m); } "


@pytest.mark.parametrize(
    ("host", "seen"),
    [
        (LAUNCHER + "int main() { int rows = 64; run(q, 2 * rows); }", 128),
        (LAUNCHER + "void f() { run(q, 64); } int main() { run(q, 64); }", 64),
        (LAUNCHER + "void f() { run(q, 64); } int main() { run(q, 32); }", None),
        (LAUNCHER + "void f() { run(q, 64); } int main(int c, char **v) { run(q, c); }", None),
        (LAUNCHER + "int main() { for (int m = 1; m < 9; m++) run(q, m); }", None),
        ("void run(float *p, int m); int main() { run(q, 64); } " + LAUNCHER, 64),
        (LAUNCHER + "void all(int count) { run(q, count * 2); } int main() { all(16); }", 32),
        ("int rows = 16; " + LAUNCHER + "int main() { run(q, rows); }", 16),
        ("int rows = 16; void f(float *p) { k<<<1, 32>>>(p, rows); }", 16),
        ("int rows = 16; void set() { rows = 3; } void f(float *p) { k<<<1, 32>>>(p, rows); }", None),
        ("void run(float *p, int m = 8) { k<<<1, 32>>>(p, m); } int main() { run(q); }", 8),
        ("void run(float *p, int m) { if (m > 1) run(p, m - 1); k<<<1, 32>>>(p, m); } int main() { run(q, 4); }", None),
        ("template <int B> void run(float *p, int m) { k<<<1, B>>>(p, m); } int main() { run<32>(q, 4); }", 4),
    ],
)
def test_numbers_that_come_through_calls(host: str, seen: int | None) -> None:
    """A size for shares; the grid stays what the function itself tells."""
    (site,) = sites(f"float *q; {host}")
    assert [(r.name, r.least, r.most) for r in site.arguments.ranges] == ([] if seen is None else [("n", seen, seen)])
    assert site.grid[0] in (None, 1)


@pytest.mark.parametrize(
    ("host", "block"),
    [
        ("size_t b[2]; b[0] = 32; b[1] = 256 / b[0]; k<<<1, dim3(b[0], b[1])>>>(p, n);", (32, 8, 1)),
        ("int b[2] = {8}; b[1] = 4; dim3 block(b[0], b[1]); k<<<1, block>>>(p, n);", (8, 4, 1)),
        ("int b[2] = {8, 4}; if (n) b[1] = 8; k<<<1, dim3(b[0], b[1])>>>(p, n);", None),
        ("int b[2] = {8, 4}; for (int i = 0; i < n; i++) b[i] = 8; k<<<1, dim3(b[0], b[1])>>>(p, n);", None),
        ("int b[2] = {8, 4}; b[n] = 8; k<<<1, dim3(b[0], b[1])>>>(p, n);", None),
        ("int b[2] = {8, 4}; b[1] += n; k<<<1, dim3(b[0], b[1])>>>(p, n);", None),
        ("int b[2] = {8, 4}; fill(b); k<<<1, dim3(b[0], b[1])>>>(p, n);", None),
        ("int b[2] = {8, 4}; fill(&b[1]); k<<<1, dim3(b[0], b[1])>>>(p, n);", None),
        ("int b[2] = {8, 4}; in >> b[1]; k<<<1, dim3(b[0], b[1])>>>(p, n);", None),
        ("int b[2] = {8, 4}; int &y = b[1]; y = 2; k<<<1, dim3(b[0], b[1])>>>(p, n);", None),
        ("int b[2]; b[0] = b[1] = 4; k<<<1, dim3(b[0], b[1])>>>(p, n);", None),
    ],
)
def test_elements_of_arrays_of_the_host(host: str, block: tuple[int, int, int] | None) -> None:
    (site,) = sites(f"std::ifstream in; void f(float *p, int n) {{ {host} }}")
    assert site.block == block


@pytest.mark.parametrize(
    ("host", "rooms"),
    [
        ("cudaMalloc(&p, 20); k<<<1, 32>>>(p, n);", (("p", 20),)),
        ("cudaMalloc((void **)&p, 5 * sizeof(float)); k<<<1, 32>>>((float *)p, n);", (("p", 20),)),
        ("cudaMalloc(&p, 20); if (n) cudaMalloc(&p, 40); k<<<1, 32>>>(p, n);", (("p", 40),)),
        ("cudaMalloc(&p, n); k<<<1, 32>>>(p, n);", ()),
        ("cudaMalloc(&p, 4096); k<<<1, 32>>>(p, n);", ()),
        ("cudaMalloc(&p, 20); while (n) { k<<<1, 32>>>(p, n); p = q; }", ()),
        ("cudaMalloc(&p, 20); k<<<1, 32>>>(p, n); std::swap(p, q);", ()),
        ("cudaMalloc(&p, 20); grow(&p, n); k<<<1, 32>>>(p, n);", ()),
        ("cudaMalloc(&p, 20); k<<<1, 32>>>(p + 1, n);", ()),
    ],
)
def test_bytes_that_arrays_are_allocated_with(host: str, rooms: tuple[tuple[str, int], ...]) -> None:
    (site,) = sites(f"void f(float *p, float *q, int n) {{ {host} }}")
    assert site.arguments.rooms == rooms


@pytest.mark.parametrize(
    ("host", "aligned"),
    [
        ("void f(float *d) { float *e; e = d; e += 5; k<<<4, 64>>>(e, 1); }", 4),
        ("void f(float *d) { float *e = d + 16; k<<<4, 64>>>(e, 1); }", 64),
        ("void f(float *d) { float *e = &d[2], *g = e; k<<<4, 64>>>(g + 4, 1); }", 8),
        ("void f(float *d, int c) { d -= c; k<<<4, 64>>>(d, 1); }", 4),
        ("void f(float *d) { for (int i = 0; i < 4; i++) { k<<<4, 64>>>(d, 1); d++; } }", 4),
        ("void f(float *d, bool odd) { float *e = odd ? d + 2 : d; k<<<4, 64>>>(e, 1); }", 8),
        ("void f() { float *d, *e; cudaMalloc(&d, 64); e = d; k<<<4, 64>>>(e, 1); }", None),
        ("void f(float *d) { float *e = d; float *g = d + 1; k<<<4, 64>>>(e, 1); }", None),
    ],
)
def test_pointers_that_the_host_moves_are_less_aligned(host: str, aligned: int | None) -> None:
    (site,) = sites(host)
    assert site.arguments.aligned == (() if aligned is None else (("p", aligned),))
