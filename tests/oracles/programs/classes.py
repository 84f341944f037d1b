"""Classes at work: construction in order, virtual calls, hidden members, copies, conversions, closures.

Each query runs a little and returns what was left behind, so that its value tells which functions ran and when.
"""

from __future__ import annotations

import random

from tests.oracles.programs.text import Writer


def write(random: random.Random) -> Writer:
    w = Writer(random)
    features = [
        _virtual,
        _virtual,
        _hidden,
        _construction,
        _braces,
        _copies,
        _closures,
        _operators,
        _conversions,
        _statics,
        _local,
        _destroyed,
    ]
    for feature in random.sample(features, 3):
        w.feature = feature.__name__.removeprefix("_")
        feature(w)
    return w


def _virtual(w: Writer) -> None:
    """A chain of classes with virtual and plain functions; calls through objects, references, pointers, constructors."""
    names = [w.name("B") for _ in range(w.random.randint(2, 3))]
    virtual = {f: w.chance(0.6) for f in ("f", "g", "h")}
    for depth, name in enumerate(names):
        parts = []
        for function, is_virtual in virtual.items():
            if depth == 0 or w.chance(0.5):
                word = "virtual " if is_virtual and (depth == 0 or w.chance(0.3)) else ""
                over = " override" if is_virtual and depth and not word and w.chance(0.5) else ""
                parts.append(f"{word}FN int {function}() const{over} {{ return {w.tag()}; }}")
        if depth == 0:
            parts.append("FN int call() const { return f() * 1000 + g(); } int seen = 0;")
            parts.append(
                f"FN {name}() {{ seen = {w.pick('f()', 'this->g()', 'call()', 'h()')}; }}" if w.chance(0.6) else ""
            )
        elif w.chance(0.5):
            parts.append(
                f"int own = {w.pick('f()', 'h() + 1', '3', f'{names[0]}::g()')}; FN {name}() {{ seen += {w.pick('f()', 'h()', '1')}; }}"
            )
        if depth and w.chance(0.3):
            parts.append(
                f"FN int up() const {{ return {names[depth - 1]}::f() + {w.pick('f()', 'h()', 'this->g()')}; }}"
            )
        w.add(f"struct {name}{f' : {names[depth - 1]}' if depth else ''} {{ {' '.join(parts)} }};")
    base, last = names[0], names[-1]
    w.add(
        f"FN int by_ref_{last}(const {base} &b) {{ return b.f() + 3 * b.g() + 5 * b.h(); }}",
        f"FN int by_ptr_{last}(const {base} *b) {{ return b->f() + 3 * b->g(); }}",
        f"FN int by_value_{last}({base} b) {{ return b.f() + 7 * b.h(); }}",
        f"template <class T> FN int any_{last}(const T &t) {{ return t.f() + t.call(); }}",
    )
    setup = f"{last} d; {w.random.choice(names)} m; "
    for body in ("return d.f() + d.g() + d.h();", f"{base} &r = d; return r.f() + 2 * r.g() + 4 * r.h();", f"{base} *p = &m; return p->f() + p->call();", f"return by_ref_{last}(d);",
                 f"return by_ptr_{last}(&m) + by_value_{last}(d);", "return d.seen + m.seen;", f"return any_{last}(d) + any_{last}(m);", f"return d.{base}::f() + d.call();", f"return by_ref_{last}({last}{{}});",
                 f"const {base} &r = m; return by_ref_{last}(r);"):  # fmt: skip
        if w.chance(0.5):
            w.ask(setup + body)


def _hidden(w: Writer) -> None:
    """Members of bases that a derived class hides, or brings back by `using`."""
    base, derived = w.name("H"), w.name("H")
    using = w.pick("", f"using {base}::f; ", f"using {base}::x; ") if w.chance(0.6) else ""
    own_x = f"{w.scalar()} x = {w.random.randint(1, 9)}; " if "::x" not in using else ""
    w.add(
        f"struct {base} {{ {w.scalar()} x = {w.random.randint(10, 20)}; int y = 2; FN int f(int) {{ return {w.tag()}; }} FN int f(double) {{ return {w.tag()}; }} FN int get() {{ return (int)x + y; }} using T = int; enum {{ k = 3 }}; }};",
        f"struct {derived} : {base} {{ {using}{own_x}FN int f(char) {{ return {w.tag()}; }} FN int mine() {{ return (int)x * 100 + (int){base}::x + f(1) + {base}::f(2); }} using T = char; enum {{ k = 5 }}; }};",
    )
    for body in (f"d.f({w.pick('1', '1.5', chr(39) + 'a' + chr(39))})", "(long long)d.x", f"(long long)d.{base}::x", "d.get() + d.mine()", f"(({base} &)d).f(1) + (int)(({base} &)d).x", f"sizeof({derived}::T) + {derived}::k",
                 f"{base} *p = &d; p->x = 7; return (long long)d.x * 1000 + (long long)p->x + d.get();", f"d.x = 4; {base} b = d; return (long long)b.x * 10 + d.get();"):  # fmt: skip
        if w.chance(0.6):
            w.ask(f"{derived} d; {body if 'return' in body else f'return {body};'}")


def _construction(w: Writer) -> None:
    """Who is constructed when, with which constructor; what it leaves in a counter."""
    inner, outer, top = w.name("I"), w.name("O"), w.name("T")
    n = w.random.randint(2, 9)
    w.add(
        f"struct {inner} {{ int v; FN {inner}() : v({n}) {{}} FN {inner}(int a) : v(a * 2) {{}} FN {inner}(int a, int b) : {inner}(a + b) {{ v += 1; }} {w.pick('', 'FN ' + inner + '(double d) : v((int)d + 50) {}', 'explicit FN ' + inner + '(char c) : v(c + 70) {}')} }};",
        f"struct {outer} {{ int n = 0; {inner} a; {inner} b{w.pick('', '{4}', '{2, 3}', ' = 6')}; int c = a.v + n; FN {outer}() {{ n += 1; }} FN {outer}(int x) : n(x), b(x, n) {{ c += 5; }} FN {outer}({inner} i) : a(i), n(i.v) {{}} }};",
        f"struct {top} : {outer} {{ {inner} z; int w{w.pick('', ' = 8', '{}')}; FN {top}() : w(z.v) {{}} FN {top}(int a) : {outer}(a), z(n, c), w(b.v) {{}} FN {top}(int a, char) : {top}(a) {{ w *= 2; }} }};",
    )
    total = "o.n + 10 * o.a.v + 100 * o.b.v + 1000 * o.c"
    whole = "t.n + 10 * t.a.v + 100 * t.b.v + 1000 * t.c + 10000 * t.z.v + 100000 * t.w"
    for body in (f"{outer} o; return {total};", f"{outer} o(3); return {total};", f"{outer} o = {outer}({inner}(4, 1)); return {total};", f"{outer} o{{{inner}{{2}}}}; return {total};", f"{top} t; return {whole};",
                 f"{top} t(2); return {whole};", f"{top} t{{2, 'c'}}; return {whole};", f"{inner} i = {w.pick('3', '2.5', chr(39) + 'a' + chr(39))}; return i.v;", f"{inner} i({w.pick('3', '2.5', chr(39) + 'a' + chr(39), '1, 2')}); return i.v;",
                 f"{inner} i[3]; i[1] = 5; return i[0].v + 10 * i[1].v + 100 * i[2].v;", f"{inner} i[2] = {{1, {{2, 3}}}}; return i[0].v + 100 * i[1].v;", f"auto o = new_{outer}(); return {total};"):  # fmt: skip
        if w.chance(0.5):
            w.ask(body)
    w.lines.append(f"FN {outer} new_{outer}() {{ {outer} o(1); o.n += 3; return o; }}")


def _braces(w: Writer) -> None:
    """Brace lists: aggregates, elided braces, designators, classes with constructors among the members."""
    agg, ctor, nest = w.name("G"), w.name("K"), w.name("N")
    w.add(
        f"struct {agg} {{ int a; {w.pick('int', 'short', 'char')} b[2]; int c{w.pick('', ' = 7')}; }};",
        f"struct {ctor} {{ int v; int u; FN {ctor}(int a) : v(a), u(9) {{}} FN {ctor}(int a, int b) : v(a), u(b) {{}} }};",
        f"struct {nest} {{ {agg} g; {ctor} k; int z{w.pick('', ' = 2')}; }};",
        f"struct {agg}_d : {agg} {{ int e; }};",
        f"union {agg}_u {{ int i; char c; FN {agg}_u() : i(4) {{}} }};",
    )
    g = "g.a + 10 * g.b[0] + 100 * g.b[1] + 1000 * g.c"
    x = "n.g.a + 10 * n.g.b[0] + 100 * n.g.b[1] + 1000 * n.g.c + 10000 * n.k.v + 100000 * n.k.u + 1000000 * n.z"
    for body in (f"{agg} g = {{1, 2, 3, 4}}; return {g};", f"{agg} g{{1, {{2}}}}; return {g};", f"{agg} g = {{}}; return {g};", f"{agg} g = {{.a = 3, .c = 5}}; return {g};", f"{nest} n = {{1, 2, 3, 4, 5}}; return {x};",
                 f"{nest} n = {{{{1, 2, 3}}, {{4, 5}}, 6}}; return {x};", f"{nest} n{{{{}}, 3}}; return {x};", f"{ctor} k[2] = {{1, {{2, 3}}}}; return k[0].v + 10 * k[0].u + 100 * k[1].v + 1000 * k[1].u;",
                 "int a[2][3] = {1, 2, 3, 4}; return a[0][0] + 10 * a[0][2] + 100 * a[1][0] + 1000 * a[1][1];", "int a[][2] = {{1}, {2, 3}, {}}; return sizeof(a) + a[0][1] + 10 * a[1][1];",
                 f"{agg} g[2] = {{1, 2, 3, 4, 5, 6}}; return g[0].a + 10 * g[0].c + 100 * g[1].a + 1000 * g[1].b[0] + 10000 * g[1].c;", f"{agg}_d d = {{{{1, {{2, 3}}, 4}}, 5}}; return d.a + 10 * d.b[1] + 100 * d.c + 1000 * d.e;",
                 f"{agg}_d d = {{1, 2, 3, 4, 5}}; return d.a + 10 * d.b[1] + 100 * d.c + 1000 * d.e;", f"{agg}_u u; return u.i;", 'char s[] = "abc"; return sizeof(s) + s[1];', "const char *s = \"xyz\"; return s[2];"):  # fmt: skip
        if w.chance(0.4):
            w.ask(body)


def _copies(w: Writer) -> None:
    """Copy and move: which of the two, how often, and what is elided."""
    name = w.name("Y")
    w.add(
        f"struct {name} {{ int v; FN {name}(int v = 1) : v(v) {{}} FN {name}(const {name} &o) : v(o.v + 10) {{}} FN {name}({name} &&o) : v(o.v + 100) {{}} FN {name} &operator=(const {name} &o) {{ v = o.v + 1000; return *this; }} {w.pick('', 'FN ' + name + ' &operator=(' + name + ' &&o) { v = o.v + 5000; return *this; }')} }};",
        f"struct {name}_h {{ {name} a; {name} b[2]; int k = 1; }};",
        f"FN int {name}_v({name} y) {{ return y.v; }} FN int {name}_c(const {name} &y) {{ return y.v; }} FN {name} {name}_r() {{ return {name}(3); }} FN {name} {name}_p({name} y) {{ return y; }} FN {name} {name}_t() {{ return {name}(4); }}",
        f"FN {name} &&{name}_m({name} &y) {{ return static_cast<{name} &&>(y); }}",
    )
    setup = f"{name} a(2); "
    for body in ("{0} b = a; return b.v;", "{0} b(static_cast<{0} &&>(a)); return b.v;", "return {0}_v(a) + {0}_v({0}(5));", "return {0}_v({0}_m(a)) * 3 + {0}_c(a);", "{0} b = {0}_r(); return b.v;", "{0} b = {0}_p(a); return b.v;",
                 "{0} b; b = a; return b.v;", "{0} b; b = {0}_t(); return b.v;", "{0} b; b = {0}_m(a); return b.v;", "{0}_h h{{a, {{a, 5}}}}; {0}_h k = h; return k.a.v + k.b[0].v * 3 + k.b[1].v * 7;", "{0}_h h{{}}; h.a = a; {0}_h k; k = h; return k.a.v + k.k;",
                 "auto f = [a] {{ return a.v; }}; return f();", "auto f = [a] {{ return a.v; }}; auto g = f; return g();", "auto &&r = {0}_t(); return r.v;", "{0} b = a.v > 1 ? a : {0}_t(); return b.v;", "{0} c[2] = {{a, {0}_t()}}; return c[0].v * 3 + c[1].v;"):  # fmt: skip
        if w.chance(0.4):
            w.ask(setup + body.format(name))


def _closures(w: Writer) -> None:
    name = w.name("L")
    capture = w.pick("*this", "this", "=, *this", "&")
    w.add(
        f"struct {name} {{ int x = {w.random.randint(1, 9)}; FN int run() {{ auto f = [{capture}]() {{ return x; }}; x = 50; return f() * 100 + x; }}",
        f"  FN int both() {{ int k = 2; auto f = [{w.pick('&', 'this, &k', '=, &k')}](int a) mutable {{ k += a; return x + k; }}; int r = f(3); return r * 10 + k; }} }};",
        f"template <class F> FN int {name}_apply(F f, int n) {{ int s = 0; for (int i = 0; i < n; ++i) s += f(i); return s; }}",
    )
    for body in (f"{name} l; return l.run();", f"{name} l; return l.both();", "int k = 1; auto f = [=]() { return k; }; k = 5; return f() * 10 + k;", "int k = 1; auto f = [&]() { return k++; }; f(); return f() * 10 + k;", "int k = 1; auto f = [k]() mutable { return ++k; }; f(); return f() * 10 + k;",
                 f"int b = 3; return {name}_apply([b](int i) {{ return i * b; }}, 4);", f"int b = 0; {name}_apply([&](int i) {{ b += i; return 0; }}, 4); return b;", "auto f = [](auto a, auto b) { return sizeof(a) * 10 + sizeof(b); }; return f('a', 2.0);", "auto f = [n = 4](int i) { return n + i; }; return f(2);",
                 "int k = 2; auto f = [&k, c = k * 3](int i) { k = i; return c; }; return f(7) + k * 100;", "auto f = [](int a) -> char { return a; }; return f(300) + sizeof(f(1));", "auto f = [](int n) { return [n](int m) { return n * 10 + m; }; }; return f(3)(4);"):  # fmt: skip
        if w.chance(0.5):
            w.ask(body)


def _operators(w: Writer) -> None:
    name = w.name("Z")
    w.add(
        f"struct {name} {{ int v; FN {name}(int v) : v(v) {{}} FN {name} operator+(const {name} &o) const {{ return {name}(v + o.v + {w.tag()}); }} FN {name} operator-() const {{ return {name}(-v * 2); }}",
        f"  FN {name} &operator++() {{ v += 10; return *this; }} FN {name} operator++(int) {{ {name} old(v); v += 100; return old; }} FN int operator[](int i) const {{ return v * i; }} FN int &operator[](char) {{ return v; }}",
        f"  FN int operator()(int a, int b = 3) const {{ return v + a * b; }} FN {name} *operator->() {{ return this; }} FN int operator*() const {{ return v + 7; }} FN bool operator!() const {{ return v == 2; }} FN {name} &operator+=(int d) {{ v += d; return *this; }}",
        f"  FN bool operator<(const {name} &o) const {{ return v > o.v; }} FN int operator,(int x) const {{ return x + 1000; }} }};",
        f"FN int operator*({name} a, int b) {{ return a.v * b + {w.tag()}; }} FN int operator*(int a, {name} b) {{ return a * b.v + {w.tag()}; }} FN bool operator==(const {name} &a, int b) {{ return a.v == b + 1; }} FN int operator&&(const {name} &a, const {name} &b) {{ return a.v * 100 + b.v; }}",
        f"FN int operator<<({name} &a, int b) {{ a.v += b; return a.v; }}",
    )
    for body in ("(a + b).v", "(a + 4).v", "(-a).v + (++a).v", "(a++).v + 3 * a.v", "a[3]", "a['c'] = 8; return a.v;", "a(2) + a(2, 5)", "a->v + *a", "!a ? 5 : 6", "(a += 3).v + a.v", "(a < b) + 2 * (b < a)", "a * 2 + 3 * a", "(a == 1) + 2 * (a == 2)", "a && b", "(a, 5)", "(a << 4) + a.v", "(1 + 2, a + b).v", "(a ? 1 : 2)"):  # fmt: skip
        if w.chance(0.45):
            w.ask(f"{name} a(2), b(5); {body if 'return' in body else f'return {body};'}")


def _conversions(w: Writer) -> None:
    name = w.name("V")
    explicit = w.pick("", "explicit ")
    w.add(
        f"struct {name}_s {{ int v; }};",
        f"struct {name} {{ int v; FN {name}(int v) : v(v) {{}} FN {name}({name}_s s) : v(s.v + 40) {{}} {explicit}FN operator bool() const {{ return v > 3; }} FN operator {name}_s() const {{ return {name}_s{{v * 3}}; }} {w.pick('', 'FN operator double() const { return v + 0.5; }', 'FN operator int &() { return v; }')} }};",
        f"FN int {name}_f({name} x) {{ return x.v; }} FN int {name}_g({name}_s x) {{ return x.v; }} FN int {name}_h(const {name} &x) {{ return x.v + 1; }} FN {name} {name}_k(int a) {{ return a; }} FN {name}_s {name}_l({name} a) {{ return a; }}",
    )
    for body in (f"return {name}_f(5) + {name}_h(6);", f"return {name}_f({name}_s{{2}});", f"{name} x(4); return {name}_g(x);", f"{name} x = 4; if (x) return 1; return 2;", f"{name} x(2); return !x + (x && true) * 2;", f"return {name}_k(3).v + {name}_l(4).v;", f"{name} x(3); x = 9; return x.v;",
                 f"{name} x(3); x = {name}_s{{1}}; return x.v;", f"{name}_s s = {name}(2); return s.v;", f"{name} x(7); return (long long)(double)(bool)x;", f"{name} x(7); double d = x; return (long long)(d * 2);", f"return static_cast<{name}>(5).v + static_cast<{name}_s>({name}(1)).v;", f"{name} x(1); return x ? 10 : 20;"):  # fmt: skip
        if w.chance(0.5):
            w.ask(body)


def _statics(w: Writer) -> None:
    name = w.name("F")
    w.add(
        f"struct {name} {{ static constexpr int k = {w.random.randint(2, 9)}; static constexpr int t[3] = {{1, {w.random.randint(2, 9)}, 3}}; static FN int f(int a = k) {{ return a * 2; }} int m = k + 1; FN int g(int b = f()) const {{ return b + m; }} static FN {name} make(int a) {{ {name} x; x.m = a; return x; }}",
        f"  struct In {{ int q = k; FN int h() const {{ return q + {name}::f(1); }} }}; In in; {w.pick('', 'friend ')}FN int other(const {name} &x) {{ return x.m; }} }};".replace(
            "FN int other(const", "FN int other(const" if w.chance(2) else ""
        ),
        f"struct {name}_e : {name} {{ static constexpr int k = 20; FN int g() const {{ return {name}::g() + k + f(); }} }};",
    )
    for body in (f"{name}::f()", f"{name} x; return x.g() + x.f(3);", f"{name}::make(4).g(1)", f"{name}::In i; return i.h();", f"{name} x; return x.in.h() + x.k + x.t[1];", f"{name}_e e; return e.g() + e.k + e.{name}::k;", f"{name}::t[1] + sizeof({name}::t)", f"int s = 0; for (int v : {name}::t) s = s * 10 + v; return s;"):  # fmt: skip
        if w.chance(0.6):
            w.ask(body)


def _local(w: Writer) -> None:
    """Classes and names that live in a function."""
    n, m = w.random.randint(1, 9), w.random.randint(1, 9)
    for body in (f"struct X {{ int a, b; }} x = {{{n}, {m}}}; return x.a * 10 + x.b;", f"struct X {{ int v = {n}; FN_ int f() const {{ return v * 2; }} }}; X x; return x.f();", f"enum {{ p = {n}, q }}; return p * 10 + q;", f"enum class R {{ p = {n}, q }}; R r = R::q; return (int)r;",
                 f"using T = short; T t[{n}]{{}}; return sizeof(t);", f"union {{ int i; float f; }}; i = {n}; return i;", "struct { char c; double d; } s{}; return sizeof(s) + s.c;", f"int a = {n}; {{ int a = {m}; a++; }} for (int a = 0; a < 3; ++a) {{}} return a;", f"if (int a = {n}; a > 4) return a; else return a * 2;",
                 f"int x = {n}; auto [a, b] = Pair{{x, {m}}}; return a * 10 + b;", f"struct X {{ int v; FN_ X(int v) : v(v + {m}) {{}} }}; X x({n}), y = x; return x.v + y.v;", f"switch (int k = {n}; k % 3) {{ case 0: return k; case 1: {{ int k = 5; return k; }} default: return -k; }}", f"static_assert(sizeof(int) == 4); int r = 0; for (int i : {{1, 2, {n}}}) r += i; return r;"):  # fmt: skip
        if w.chance(0.4):
            w.ask(body.replace("FN_ ", "FN "))
    w.lines.insert(0, "struct Pair { int first, second; };")


def _destroyed(w: Writer) -> None:
    """Destructors leave marks through a pointer, so that their order shows."""
    name = w.name("X")
    w.add(
        f"struct {name} {{ int *log; int k; FN {name}(int *log, int k) : log(log), k(k) {{ *log = *log * 10 + k; }} {w.pick('', 'virtual ')}FN ~{name}() {{ *log = *log * 10 + k + 4; }} }};",
        f"struct {name}_o {{ {name} a, b; FN {name}_o(int *l) : a(l, 1), b(l, 2) {{}} }}; struct {name}_d : {name} {{ {name} m; FN {name}_d(int *l) : {name}(l, 3), m(l, 2) {{}} FN ~{name}_d() {{ *log += 5; }} }};",
        f"FN int {name}_f(int *l, int n) {{ {name} x(l, 1); if (n > 2) return *l; {name} y(l, 2); return *l * 2; }}",
    )
    for body in (f"{{ {name} x(&l, 1), y(&l, 2); }} return l;", f"{{ {name}_o o(&l); }} return l;", f"{{ {name}_d d(&l); }} return l;", f"int r = {name}_f(&l, 1); return r + l * 3;", f"int r = {name}_f(&l, 5); return r + l * 3;", f"for (int i = 0; i < 3; ++i) {{ {name} x(&l, i); if (i == 1) break; }} return l;", f"{name}(&l, 1); return l;", f"{{ {name} x[2] = {{{{&l, 1}}, {{&l, 2}}}}; }} return l;"):  # fmt: skip
        if w.chance(0.5):
            w.ask(f"int l = 0; {body}")
