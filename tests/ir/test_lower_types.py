"""Names of types and constants: typedefs, templates, enums, what is not declared."""

from __future__ import annotations

from tests.ir.lowering import check


def test_constants() -> None:
    check(
        """
        const int N = 4;
        constexpr float H = 0.5f;
        enum E { A = 3, B, C = B * 2 };
        enum class F : unsigned char { P = 7 };
        __constant__ int tab[N * N];
        __constant__ int one;
        static const int M = sizeof(double) * N;
        int host;
        __global__ void k(float *o, int i) {
            o[N] = H;
            o[M] = A + B + C;
            o[(int)F::P] = tab[i];
            o[1] = one;
            o[2] = host;
            const int k = N + 1;
            float a[k];
            a[i] = 1;
            o[3] = INT_MAX;
        }
        """,
        """
        object tab: constant int[16]
        object one: constant int
        object a: local float[5]
        store[4] o + {4 * 4} <- 0.5f
        store[4] o + {32 * 4} <- (float)(3 + 4 + 8)
        tab[i] = load[4] &tab + {i * 4}
        store[4] o + {7 * 4} <- (float)tab[i]
        one = load[4] &one
        store[4] o + {1 * 4} <- (float)one
        store[4] o + {2 * 4} <- ?(missing: `host` is a variable of the host)
        k = 4 + 1
        declare a
        store[4] &a + {i * 4} <- 1.0f
        store[4] o + {3 * 4} <- 2147483648.0f
        """,
    )


def test_typedefs() -> None:
    check(
        """
        typedef unsigned int uint_t;
        typedef float row_t[4];
        using P2 = float2 *;
        namespace ns { struct In { typedef short S; S s; static const int K = 6; }; const int G = 2; }
        __global__ void k(row_t *r, P2 p, ns::In *q, uint_t u) {
            r[u][1] = 2;
            p[u].y = q[u].s;
            ns::In::S z = q->s;
            p->x = z + ns::In::K + ns::G;
            typedef double D;
            D d = 1;
            p->y = d;
            struct L { int a, b; };
            L l = {1, 2};
            p[2].x = l.b;
        }
        """,
        """
        store[4] r + {u * 16} + {1 * 4} <- 2.0f
        q[u].s = load[2] q + {u * 2}
        store[4] p + {u * 8 + 4} <- (float)q[u].s
        q->s = load[2] (short*)q
        z = q->s
        store[4] (float*)p <- (float)((int)z + 6 + 2)
        d = 1.0
        store[4] p + {4} <- (float)d
        l.a = 1
        l.b = 2
        store[4] p + {2 * 8} <- (float)l.b
        """,
    )


def test_template_record() -> None:
    check(
        """
        template <typename T, int N> struct Tile { T v[N]; int n; static const int K = N * 2; };
        template <typename T> using Four = Tile<T, 4>;
        __global__ void k(Tile<float, 8> *p, Four<double> *q, int i) {
            p[i].v[3] = 1;
            p[i].n = Tile<float, 8>::K;
            q[i].v[i] = 2;
            q->n = Four<double>::K;
            p->n = sizeof(Tile<char, 3>);
        }
        """,
        """
        store[4] p + {i * 36} + {3 * 4} <- 1.0f
        store[4] p + {i * 36 + 32} <- 16
        store[8] q + {i * 40} + {i * 8} <- 2.0
        store[4] q + {32} <- 8
        store[4] p + {32} <- 8
        """,
    )


def test_opaque_constants() -> None:
    check(
        """
        __global__ void k(float *o, int i) {
            __shared__ float t[TILE][TILE + 1];
            t[threadIdx.y][threadIdx.x] = o[i * TILE];
            for (int k = 0; k < TILE; k++) o[k] = t[k][0];
        }
        """,
        """
        object t: shared float[TILE][TILE + 1]
        assume `TILE` is an integer constant >= 1
        declare t
        o[i * TILE] = load[4] o + {i * TILE * 4}
        store[4] &t + {threadIdx.y * (4ul * (size_t)(TILE + 1))} + {threadIdx.x * 4} <- o[i * TILE]
        k = 0
        for (k < TILE) {
        body:
          t[k][0] = load[4] &t + {k * (4ul * (size_t)(TILE + 1))} + {0}
          store[4] o + {k * 4} <- t[k][0]
        step:
          k = k + 1
        }
        """,
    )


def test_opaque_types() -> None:
    check(
        """
        __global__ void k(real *p, Thing *t, int i, Thing u) {
            p[i] = p[i + 1] * 2;
            t[i].x = 3;
            real r = p[0];
            r += 1;
            p[1] = r;
            u.y = 4;
            p[2] = u.y;
        }
        """,
        """
        assume `real` has 4 bytes (it is not declared here)
        assume `Thing` has 4 bytes (it is not declared here)
        p[i + 1] = load[4] p + {(i + 1) * 4}
        store[4] p + {i * 4} <- p[i + 1] * (real?)2
        store[4] ?(missing: the type `Thing` is not known: it is not declared here) <- (??)3
        p[0] = load[4] p + {0}
        r = p[0]
        r = r + (real?)1
        store[4] p + {1 * 4} <- r
        u = ?(missing: the members of `Thing` are not known: it is not declared here)
        store[4] p + {2 * 4} <- ?(missing: the members of `Thing` are not known: it is not declared here)
        """,
    )


def test_unknowns() -> None:
    check(
        """
        __global__ void k(int *o, int i) {
            o[i] = MISSING + 1;
            asm volatile("mbarrier.x %0, 1;" : "=r"(i));
            o[0] = i;
            goto end;
            o[1] = 2;
            end: o[2] = 3;
        }
        """,
        """
        store[4] o + {i * 4} <- (int)(?(missing: `MISSING` is not declared in this file or its includes) + (MISSING?)1)
        unknown (unsupported: inline assembly: `mbarrier.x`) memory
        i = ?(unsupported: result of inline assembly)
        store[4] o + {0} <- i
        unknown (unsupported: goto) changes o, i; memory; leaves
        store[4] o + {1 * 4} <- 2
        unknown (unsupported: label) changes o, i; memory; leaves
        store[4] o + {2 * 4} <- 3
        """,
    )


def test_div_by_zero() -> None:
    check(
        """
        const int Z = 1 / 0;
        __global__ void k(int *o, int i) {
            o[0] = 1 / 0;
            o[1] = i % 0;
            int a[Z];
            a[i] = 1;
            switch (i) { case 1 / 0: o[2] = 3; }
        }
        """,
        """
        object a: local int[?(missing: `Z` has no value that is known here)]
        store[4] o + {0} <- 1 / 0
        store[4] o + {1 * 4} <- i % 0
        declare a
        store[4] &a + {i * 4} <- 1
        unknown (unsupported: a case label that is not a known constant) changes o, i; memory; leaves
        """,
    )


def test_members_come_from_the_specialisation_that_is_meant() -> None:
    check(
        """
        template <typename T> struct Wide { typedef T type; static const int n = 1; enum { E = 10 }; };
        template <> struct Wide<float> { typedef float4 type; static const int n = 4; enum { E = 40 }; };
        template <> struct Wide<double> { typedef double2 type; static const int n = 2; enum { E = 20 }; };
        template <typename T> struct Outer { typename Wide<T>::type v; typedef typename Wide<T>::type inner; };
        __global__ void k(Wide<float>::type *p, Outer<double>::inner *q, Outer<short> *r, int *o) {
            p[1].y = 1;
            q[1].y = 2;
            r[1].v = 3;
            o[Wide<float>::n] = Wide<int>::n;
            o[Wide<double>::E] = Wide<double>::n + Wide<float>::E + Wide<char>::E;
        }
        """,
        """
        store[4] p + {1 * 16 + 4} <- 1.0f
        store[8] q + {1 * 16 + 8} <- 2.0
        store[2] r + {1 * 2} <- 3:short
        store[4] o + {4 * 4} <- 1
        store[4] o + {20 * 4} <- 2 + 40 + 10
        """,
    )


def test_member_types_are_inherited() -> None:
    check(
        """
        template <typename T> struct Base { typedef T type; };
        template <typename T> struct Some : Base<T> {};
        template <> struct Some<int> : Base<double> {};
        __global__ void k(Some<short>::type *p, Some<int>::type *q) {
            p[1] = 1;
            q[1] = 2;
        }
        """,
        """
        store[2] p + {1 * 2} <- 1:short
        store[8] q + {1 * 8} <- 2.0
        """,
    )
