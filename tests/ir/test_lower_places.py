"""Places: what loads and stores an lvalue takes, with byte offsets and widths."""

from __future__ import annotations

from tests.ir.lowering import check, kernel, reasons


def test_address_of() -> None:
    check(
        """
        __global__ void k(float *p, int n) {
            float *e = &p[n];
            *e = 1;
            float *g = &e[2];
            g[1] = 2;
            *&p[3] = 1;
        }
        """,
        """
        e = p + {n * 4}
        store[4] e <- 1.0f
        g = e + {2 * 4}
        store[4] g + {1 * 4} <- 2.0f
        store[4] p + {3 * 4} <- 1.0f
        """,
    )


def test_2d_arrays() -> None:
    check(
        """
        __global__ void k(float *o, int i, int j) {
            __shared__ float t[8][9];
            float v[2][3][4];
            t[i][j] = 1;
            v[i][j][i] = 2;
            float *r = t[i];
            o[0] = r[j];
            o[2] = *t[i];
            o[4] = sizeof(t) + sizeof(v[0]) + sizeof t[0][0];
        }
        """,
        """
        object t: shared float[8][9]
        object v: local float[2][3][4]
        declare t
        declare v
        store[4] &t + {i * 36} + {j * 4} <- 1.0f
        store[4] &v + {i * 48} + {j * 16} + {i * 4} <- 2.0f
        r = &t + {i * 36}
        r[j] = load[4] r + {j * 4}
        store[4] o + {0} <- r[j]
        *t[i] = load[4] &t + {i * 36}
        store[4] o + {2 * 4} <- *t[i]
        store[4] o + {4 * 4} <- (float)(288ul + 48ul + 4ul)
        """,
    )


def test_dynamic_shared_carving() -> None:
    check(
        """
        struct S { int a; double b; };
        __global__ void k(float *o, int n) {
            extern __shared__ unsigned char mem[];
            float *x = (float *)mem;
            S *y = reinterpret_cast<S *>(x + n);
            y[threadIdx.x].b = 1;
            o[0] = x[threadIdx.x];
            extern __shared__ float other[];
            other[1] = 2;
        }
        """,
        """
        object mem: shared unsigned char[]
        x = &mem
        y = x + {n * 4}
        store[8] y + {threadIdx.x * 16 + 8} <- 1.0
        x[threadIdx.x] = load[4] x + {threadIdx.x * 4}
        store[4] o + {0} <- x[threadIdx.x]
        store[4] &mem + {1 * 4} <- 2.0f
        """,
    )


def test_shared_scalars_and_pointers() -> None:
    check(
        """
        __global__ void k(float *o, int n) {
            __shared__ int count;
            __shared__ float *ptr;
            if (threadIdx.x == 0) { count = n; ptr = o; } count += 1;
            ptr[n] = count;
        }
        """,
        """
        object count: shared int
        object ptr: shared float*
        declare count
        declare ptr
        if (threadIdx.x == 0u) {
          store[4] &count <- n
          store[8] &ptr <- o
        }
        count'2 = load[4] &count
        store[4] &count <- count'2 + 1
        count'3 = load[4] &count
        ptr = load[8] &ptr
        store[4] ptr + {n * 4} <- (float)count'3
        """,
    )


def test_structs() -> None:
    check(
        """
        struct V { float x, y; };
        struct P { V a[4]; int n; V v; };
        __global__ void k(P *p, V *q, P c, int i) {
            V l = q[i];
            l.x = 3;
            q[i + 1] = l;
            p[i].a[2].y = 1;
            p->n = c.n;
            q->x = c.a[i].y;
            q[0] = p[i].v;
            V m = {1};
            V k = l;
            k.y += m.x;
            q[2] = k;
            (*q).y = 2;
            (&q[1])->x = 3;
            int *n = &p[1].n;
            *n = 4;
        }
        """,
        """
        object c.a: constant V[4]
        q[i].x = load[4] q + {i * 8}
        q[i].y = load[4] q + {i * 8 + 4}
        l.x = q[i].x
        l.y = q[i].y
        l.x = 3.0f
        store[4] q + {(i + 1) * 8} <- l.x
        store[4] q + {(i + 1) * 8 + 4} <- l.y
        store[4] p + {i * 44} + {2 * 8 + 4} <- 1.0f
        store[4] p + {32} <- c.n
        c.a[i].y = load[4] &c.a + {i * 8 + 4}
        store[4] (float*)q <- c.a[i].y
        p[i].v.x = load[4] p + {i * 44 + 36}
        p[i].v.y = load[4] p + {i * 44 + 40}
        store[4] q + {0} <- p[i].v.x
        store[4] q + {4} <- p[i].v.y
        m.x = 1.0f
        m.y = 0.0f
        k.x = l.x
        k.y = l.y
        k.y = k.y + m.x
        store[4] q + {2 * 8} <- k.x
        store[4] q + {2 * 8 + 4} <- k.y
        store[4] q + {4} <- 2.0f
        store[4] q + {1 * 8} <- 3.0f
        n = p + {1 * 44 + 32}
        store[4] n <- 4
        """,
    )


def test_vectors() -> None:
    check(
        """
        __global__ void k(float4 *a, float3 *b, float *f, double4 *d, int2 i2, int i) {
            float4 v = a[i];
            v.x += v.w;
            a[i] = v;
            float3 w = b[i];
            b[0] = w;
            f[0] = a[i].y;
            double4 e = d[i];
            d[0] = e;
            f[i2.y] = i2.x;
            *reinterpret_cast<float2 *>(f + 2 * i) = *(float2 *)&f[4];
            float4 z = make_float4(1, 2, 3, 4);
            a[1] = z;
        }
        """,
        """
        a[i].x, a[i].y'8, a[i].z, a[i].w = load[16] a + {i * 16}
        v.x = a[i].x
        v.y = a[i].y'8
        v.z = a[i].z
        v.w = a[i].w
        v.x = v.x + v.w
        store[16] a + {i * 16} <- v.x, v.y, v.z, v.w
        b[i].x = load[4] b + {i * 12}
        b[i].y = load[4] b + {i * 12 + 4}
        b[i].z = load[4] b + {i * 12 + 8}
        w.x = b[i].x
        w.y = b[i].y
        w.z = b[i].z
        store[4] b + {0} <- w.x
        store[4] b + {4} <- w.y
        store[4] b + {8} <- w.z
        a[i].y'21 = load[4] a + {i * 16 + 4}
        store[4] f + {0} <- a[i].y'21
        d[i].x, d[i].y = load[16] d + {i * 32}
        d[i].z, d[i].w = load[16] d + {i * 32 + 16}
        e.x = d[i].x
        e.y = d[i].y
        e.z = d[i].z
        e.w = d[i].w
        store[16] d + {0} <- e.x, e.y
        store[16] d + {16} <- e.z, e.w
        store[4] f + {i2.y * 4} <- (float)i2.x
        *(float2*)&f[4].x, *(float2*)&f[4].y = load[8] f + {4 * 4}
        store[8] f + {2 * i * 4} <- *(float2*)&f[4].x, *(float2*)&f[4].y
        z.x = 1.0f
        z.y = 2.0f
        z.z = 3.0f
        z.w = 4.0f
        store[16] a + {1 * 16} <- z.x, z.y, z.z, z.w
        """,
    )


def test_volatile() -> None:
    check(
        """
        __global__ void k(volatile int *p, int i) {
            p[i] = p[0];
            volatile __shared__ float s[32];
            s[threadIdx.x] += s[threadIdx.x + 16];
            volatile int *q = p;
            *q = 2;
            *q;
        }
        """,
        """
        object s: shared float[32]
        p[0] = volatile load[4] p + {0}
        volatile store[4] p + {i * 4} <- p[0]
        declare s
        s[threadIdx.x + 16] = volatile load[4] &s + {(threadIdx.x + 16u) * 4}
        s[threadIdx.x] = volatile load[4] &s + {threadIdx.x * 4}
        volatile store[4] &s + {threadIdx.x * 4} <- s[threadIdx.x] + s[threadIdx.x + 16]
        q = p
        volatile store[4] q <- 2
        *q = volatile load[4] q
        """,
    )


def test_references() -> None:
    check(
        """
        __global__ void k(float *p, int i) {
            float &r = p[i];
            i++;
            r += 2;
            int &k = i;
            k = 3;
            const float &c = 2.5;
            p[k] = c;
            auto &w = p[1];
            w = 1;
        }
        """,
        """
        (address)'2 = p + {i * 4}
        i = i + 1
        r = load[4] (address)'2
        store[4] (address)'2 <- r + 2.0f
        i = 3
        c = 2.5f
        store[4] p + {i * 4} <- c
        (address)'5 = p + {1 * 4}
        store[4] (address)'5 <- 1.0f
        """,
    )


def test_out_pointers() -> None:
    check(
        """
        __global__ void k(int *a) {
            int x = 1;
            int *q = &x;
            *q += 2;
            a[0] = x;
            int y = 2;
            *(&y) = 5;
            a[1] = y;
            int z[2] = {1, 2};
            int *w = z;
            w[1] = 4;
        }
        """,
        """
        object x: local int
        object z: local int[2]
        declare x
        store[4] &x <- 1
        q = &x
        *q = load[4] q
        store[4] q <- *q + 2
        x = load[4] &x
        store[4] a + {0} <- x
        y = 2
        y = 5
        store[4] a + {1 * 4} <- y
        declare z
        store[4] &z + {0} <- 1
        store[4] &z + {1 * 4} <- 2
        w = &z
        store[4] w + {1 * 4} <- 4
        """,
    )


def test_bit_fields() -> None:
    check(
        """
        struct B { unsigned a : 3, b : 5; int c : 12; };
        __global__ void k(B *p, int *o, int i) {
            o[0] = p[i].b;
            p[i].c = i;
            p->a += 1;
            o[1] = p[i].c;
        }
        """,
        """
        p[i].b = load[4] p + {i * 4}
        store[4] o + {0} <- (int)(p[i].b >> 3 & 31u)
        p[i].c'4 = load[4] p + {i * 4}
        store[4] p + {i * 4} <- p[i].c'4 & -1048321 | (i & 4095) << 8
        p->a = load[4] (unsigned int*)p
        store[4] (unsigned int*)p <- p->a & 4294967288u | (unsigned int)((int)(p->a & 7u) + 1) & 7u
        p[i].c'6 = load[4] p + {i * 4}
        store[4] o + {1 * 4} <- p[i].c'6 << 12 >> 20
        """,
    )


def test_unions() -> None:
    check(
        """
        union U { float f; int i; char c[8]; };
        __global__ void k(U *p, int *o, int i) {
            o[0] = p[i].i;
            U u;
            u.f = 2;
            o[1] = u.i;
            p[i].c[3] = 1;
            U w = p[1];
            o[2] = w.i;
        }
        """,
        """
        object u: local U
        object w: local U
        p[i].i = load[4] p + {i * 8}
        store[4] o + {0} <- p[i].i
        declare u
        store[4] &u <- 2.0f
        u.i = load[4] &u
        store[4] o + {1 * 4} <- u.i
        store[1] p + {i * 8} + {3 * 1} <- 1:char
        p[1].c[0] = load[1] p + {1 * 8} + {0}
        p[1].c[1] = load[1] p + {1 * 8} + {1 * 1}
        p[1].c[2] = load[1] p + {1 * 8} + {2 * 1}
        p[1].c[3] = load[1] p + {1 * 8} + {3 * 1}
        p[1].c[4] = load[1] p + {1 * 8} + {4 * 1}
        p[1].c[5] = load[1] p + {1 * 8} + {5 * 1}
        p[1].c[6] = load[1] p + {1 * 8} + {6 * 1}
        p[1].c[7] = load[1] p + {1 * 8} + {7 * 1}
        declare w
        store[1] &w + {0} <- p[1].c[0]
        store[1] &w + {1 * 1} <- p[1].c[1]
        store[1] &w + {2 * 1} <- p[1].c[2]
        store[1] &w + {3 * 1} <- p[1].c[3]
        store[1] &w + {4 * 1} <- p[1].c[4]
        store[1] &w + {5 * 1} <- p[1].c[5]
        store[1] &w + {6 * 1} <- p[1].c[6]
        store[1] &w + {7 * 1} <- p[1].c[7]
        w.i = load[4] &w
        store[4] o + {2 * 4} <- w.i
        """,
    )


def test_pointers_to_pointers() -> None:
    check(
        """
        struct Q { float **rows; float *one[2]; };
        __global__ void k(float **p, Q q, int i, int j) {
            p[i][j] = 1;
            float *r = p[i];
            r[j] += 2;
            q.rows[j][i] = 3;
            q.one[i][j] = 4;
            **p = 5;
        }
        """,
        """
        object q.one: constant float*[2]
        p[i]'4 = load[8] p + {i * 8}
        store[4] p[i]'4 + {j * 4} <- 1.0f
        p[i]'5 = load[8] p + {i * 8}
        r = p[i]'5
        r[j] = load[4] r + {j * 4}
        store[4] r + {j * 4} <- r[j] + 2.0f
        q.rows[j] = load[8] q.rows + {j * 8}
        store[4] q.rows[j] + {i * 4} <- 3.0f
        q.one[i] = load[8] &q.one + {i * 8}
        store[4] q.one[i] + {j * 4} <- 4.0f
        *p = load[8] p
        store[4] *p <- 5.0f
        """,
    )


def test_linked_list() -> None:
    check(
        """
        struct Node { int v; Node *next; };
        __global__ void k(Node *h, int *o) {
            while (h) { o[h->v] = 1; h = h->next; } Node *n = h->next->next;
            n->v = 2;
        }
        """,
        """
        while ((bool)h) {
        body:
          h->v = load[4] (int*)h
          store[4] o + {h->v * 4} <- 1
          h->next'3 = load[8] h + {8}
          h = h->next'3
        }
        h->next'4 = load[8] h + {8}
        h->next->next = load[8] h->next'4 + {8}
        n = h->next->next
        store[4] (int*)n <- 2
        """,
    )


def test_inheritance() -> None:
    check(
        """
        struct Base { int a; char c; };
        struct Der : Base { double d; };
        struct Anon { int k; union { float f; int i; }; struct { short s, t; }; };
        __global__ void k(Der *p, Anon *q, int i) {
            p[i].a = 1;
            p[i].c = 2;
            p[i].d = 3;
            q[i].f = 1;
            q[i].i = 2;
            q[i].t = 3;
        }
        """,
        """
        store[4] p + {i * 16} <- 1
        store[1] p + {i * 16 + 4} <- 2:char
        store[8] p + {i * 16 + 8} <- 3.0
        store[4] q + {i * 12 + 4} <- 1.0f
        store[4] q + {i * 12 + 4} <- 2
        store[2] q + {i * 12 + 10} <- 3:short
        """,
    )


def test_half() -> None:
    check(
        """
        __global__ void k(half *h, __half2 *h2, int i) {
            h[i] = h[i + 1];
            __half2 v = h2[i];
            h2[0] = v;
            h[0] = v.x;
        }
        """,
        """
        h[i + 1] = load[2] h + {(i + 1) * 2}
        store[2] h + {i * 2} <- h[i + 1]
        h2[i].x, h2[i].y = load[4] h2 + {i * 4}
        v.x = h2[i].x
        v.y = h2[i].y
        store[4] h2 + {0} <- v.x, v.y
        store[2] h + {0} <- v.x
        """,
    )


def test_global_objects() -> None:
    check(
        """
        __device__ float buf[100];
        __device__ int cnt = 0;
        __device__ const float lut[] = {1, 2};
        namespace a { __constant__ float2 c2[4]; }
        __global__ void k(float *o, int i) {
            buf[i] += 1;
            cnt++;
            o[0] = lut[i];
            o[1] = a::c2[i].y;
            float2 z = a::c2[0];
            o[2] = z.x;
            float *p = buf;
            p[3] = 2;
        }
        """,
        """
        object buf: global float[100]
        object cnt: global int
        object lut: global float[2]
        object c2: constant float2[4]
        buf[i] = load[4] &buf + {i * 4}
        store[4] &buf + {i * 4} <- buf[i] + 1.0f
        cnt = load[4] &cnt
        store[4] &cnt <- cnt + 1
        lut[i] = load[4] &lut + {i * 4}
        store[4] o + {0} <- lut[i]
        a::c2[i].y = load[4] &c2 + {i * 8 + 4}
        store[4] o + {1 * 4} <- a::c2[i].y
        a::c2[0].x, a::c2[0].y = load[8] &c2 + {0}
        z.x = a::c2[0].x
        z.y = a::c2[0].y
        store[4] o + {2 * 4} <- z.x
        p = &buf
        store[4] p + {3 * 4} <- 2.0f
        """,
    )


def test_members_that_are_references() -> None:
    check(
        """
        struct R { int &m; __device__ R(int &x) : m(x) {} __device__ void add(int i) { m += i; } };
        __global__ void k(int *p, int i) {
            R r(p[i]);
            r.m = 4;
            r.add(i);
        }
        """,
        """
        (address) = p + {i * 4}
        inlined R {
          (R).m = (address)
        }
        r.m = (R).m
        store[4] r.m <- 4
        inlined add {
          add(): i = i
          m = load[4] r.m
          store[4] r.m <- m + add(): i
        }
        """,
    )


def test_a_reference_member_in_memory_is_loaded_first() -> None:
    check(
        """
        struct R { int n; const float &f; float (&row)[8]; };
        __global__ void k(R *p, float *o, int i) {
            o[0] = p[i].f;
            p->row[i] = 1;
        }
        """,
        """
        p[i].f'3 = load[8] p + {i * 24 + 8}
        p[i].f'4 = load[4] p[i].f'3
        store[4] o + {0} <- p[i].f'4
        p->row = load[8] p + {16}
        store[4] p->row + {i * 4} <- 1.0f
        """,
    )


def test_a_reference_member_of_a_local_variable() -> None:
    check(
        """
        struct R { int &m; };
        __global__ void k(int *p) {
            int v = 1;
            R r{v};
            r.m++;
            p[0] = v;
        }
        """,
        """
        object v: local int
        declare v
        store[4] &v <- 1
        (temporary).m = &v
        r.m'2 = (temporary).m
        r.m'3 = load[4] r.m'2
        store[4] r.m'2 <- r.m'3 + 1
        v = load[4] &v
        store[4] p + {0} <- v
        """,
    )


def test_a_reference_to_a_temporary_is_unknown() -> None:
    source = "struct R { const float &m; }; __global__ void k(float *p, int n) { R r{n}; p[0] = r.m; }"
    assert reasons(kernel(source)) == [("unsupported", "a reference to `float*` is bound to a value of another type")]
