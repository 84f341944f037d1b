"""Templates: specialisations, deduction, variable and alias templates, SFINAE, packs, names that hide."""

from __future__ import annotations

import random

from tests.oracles.programs.text import Writer

_TYPES = ("int", "char", "float", "double", "const int", "unsigned char", "int *", "const int *", "int **", "int[4]", "char[2]", "int &", "const char &",
          "int &&", "A", "const A", "A *", "P<int>", "P<char>", "P<P<int>>", "P<const int>", "Q<int, char>", "Q<int, int>", "int(char)",
          "void", "V<3>", "bool", "long", "int *const", "const A *", "int(&)[3]", "P<int *>")  # fmt: skip

_PATTERNS = ("T *", "const T", "T &", "T &&", "const T *", "T[N]", "T[]", "P<T>", "P<T *>", "P<P<T>>", "const P<T>", "Q<T, T>", "Q<T, U>",
             "Q<T, int>", "Q<int, T>", "T(U)", "V<N>", "int", "A", "P<int>", "char[N]", "T **", "volatile T", "X<T>", "T *const")  # fmt: skip

_TRAITS = (
    "template <class T, class U> struct same { static constexpr bool value = false; };",
    "template <class T> struct same<T, T> { static constexpr bool value = true; };",
    "template <bool B, class T = void> struct enable_if {};",
    "template <class T> struct enable_if<true, T> { using type = T; };",
    "template <bool B, class T, class F> struct conditional { using type = T; };",
    "template <class T, class F> struct conditional<false, T, F> { using type = F; };",
    "template <class T> struct is_int { static constexpr bool value = false; };",
    "template <> struct is_int<int> { static constexpr bool value = true; };",
    "template <> struct is_int<char> { static constexpr bool value = true; };",
    "template <class T> struct plain { using type = T; };",
    "template <class T> struct plain<const T> { using type = T; };",
    "template <class T> struct plain<T &> { using type = T; };",
)


def write(random: random.Random) -> Writer:
    w = Writer(random)
    w.add(
        "struct A { int x; using inner = short; static constexpr int n = 4; };",
        "template <class T> struct P { T t; using type = T; };",
        "template <class T, class U> struct Q { T t; U u; };",
        "template <int N> struct V { static constexpr int value = N; char c[N]; };",
        *_TRAITS,
    )
    features = [
        _specialised,
        _specialised,
        _variable,
        _sfinae,
        _packs,
        _aliases,
        _deduced,
        _reference,
        _members,
        _hiding,
        _templates,
        _values,
    ]
    for feature in random.sample(features, 3):
        w.feature = feature.__name__.removeprefix("_")
        feature(w)
    return w


def _parameters(pattern: str) -> str:
    words = [f"class {n}" for n in ("T", "U") if n in _words(pattern)] + ["int N"] * ("N" in _words(pattern))
    if "X" in _words(pattern):
        words.append("template <class> class X")
    return ", ".join(words)


def _words(pattern: str) -> list[str]:
    return "".join(ch if ch.isalnum() else " " for ch in pattern).split()


def _patterns(w: Writer, most: int) -> list[str]:
    return w.random.sample(_PATTERNS, w.random.randint(1, most))


def _specialised(w: Writer) -> None:
    """A class template with partial specialisations: which one do the arguments select?"""
    name, default = w.name("S"), w.chance(0.3)
    two = w.chance(0.4)
    if two:
        w.add(
            f"template <class A_, class B_{' = A_' if default else ''}> struct {name} {{ static constexpr int v = {w.tag()}; }};"
        )
        patterns = [f"{p}, {o}" for p in _patterns(w, 2) for o in [w.pick("T", "U", "int", "T *", "char", "A")]]
    else:
        w.add(
            f"template <class A_> struct {name} {{ static constexpr int v = {w.tag()}; char c[{w.random.randint(1, 9)}]; }};"
        )
        patterns = _patterns(w, 4)
    for pattern in patterns:
        size = (
            " + 100 * (int)sizeof(T)" if "T" in _words(pattern) and w.chance(0.2) and not {"T(U)"} & {pattern} else ""
        )
        w.add(
            f"template <{_parameters(pattern)}> struct {name}<{pattern}> {{ static constexpr int v = {w.tag()}{size}; }};"
        )
    for _ in range(w.random.randint(4, 7)):
        arguments = [w.pick(*_TYPES)] + (
            [w.pick("int", "char", "A", "int *", "const int", "float")]
            if two and not (default and w.chance(0.5))
            else []
        )
        if two and w.chance(0.3) and len(arguments) == 2:
            arguments[1] = arguments[0]
        w.ask(f"{name}<{', '.join(arguments)}>::v")


def _variable(w: Writer) -> None:
    """Variable templates, with specialisations."""
    name = w.name("v")
    w.add(f"template <class T> constexpr int {name} = {w.pick('sizeof(T)', 'is_int<T>::value + 3', str(w.tag()))};")
    for pattern in _patterns(w, 2):
        w.add(f"template <{_parameters(pattern)}> constexpr int {name}<{pattern}> = {w.tag()};")
    for _ in range(4):
        w.ask(f"{name}<{w.pick(*_TYPES)}>")
    other = w.name("v")
    w.add(
        f"template <int N> constexpr long {other} = N * {other}<N - 1>; template <> constexpr long {other}<0> = {w.random.randint(1, 3)};"
    )
    w.ask(f"{other}<{w.random.randint(0, 5)}>")


def _sfinae(w: Writer) -> None:
    """Functions of which substitution leaves one."""
    name = w.name("f")
    first, second = w.tag(), w.tag()
    how = w.random.randint(0, 4)
    if how == 0:
        w.add(f"template <class T> FN typename enable_if<is_int<T>::value, int>::type {name}(T) {{ return {first}; }}")
        w.add(
            f"template <class T> FN typename enable_if<!is_int<T>::value, int>::type {name}(T) {{ return {second}; }}"
        )
    elif how == 1:
        w.add(
            f"template <class T, class = typename enable_if<sizeof(T) == {w.pick('1', '4', '8')}>::type> FN int {name}(T) {{ return {first}; }}"
        )
        w.add(f"FN int {name}(...) {{ return {second}; }}")
    elif how == 2:
        w.add(f"template <class T> FN int {name}(T, typename T::inner * = 0) {{ return {first}; }}")
        w.add(
            f"template <class T> FN int {name}(T, {w.pick('typename enable_if<is_int<T>::value>::type * = nullptr', 'typename T::type * = 0')}) {{ return {second}; }}"
        )
        w.add(f"FN int {name}(...) {{ return {w.tag()}; }}")
    elif how == 3:
        w.add(f"template <class T> FN auto {name}(T t, int) -> decltype(t.x, 1) {{ return {first}; }}")
        w.add(f"template <class T> FN int {name}(T t, {w.pick('long', '...')}) {{ return {second}; }}")
    else:
        w.add(
            f"template <class T, enable_if<is_int<T>::value, int>::type = 0> FN int {name}(T) {{ return {first}; }}".replace(
                ", enable_if", ", typename enable_if"
            )
        )
        w.add(
            f"template <class T, typename enable_if<!is_int<T>::value, int>::type = 0> FN int {name}(T) {{ return {second}; }}"
        )
    for _ in range(5):
        argument = w.pick("1", "'a'", "1.5", "A{}", "P<int>{}", "1l", "true", "V<2>{}", "(short)1")
        w.ask(f"{name}({argument}{', 0' if how == 3 else ''})")


def _packs(w: Writer) -> None:
    name = w.name("g")
    w.add(
        f"template <class... T> FN int {name}_n(T... t) {{ return sizeof...(T) * 10 + sizeof...(t); }}",
        f"FN int {name}_s() {{ return 0; }}",
        f"template <class H, class... T> FN int {name}_s(H h, T... t) {{ return (int)sizeof(H) + 2 * {name}_s(t...); }}",
        f"template <class... T> FN int {name}_f(T... t) {{ return {w.pick('(0 + ... + (int)t)', '((int)t + ... + 0)', '(... + (int)sizeof(t))')}; }}",
        f"template <int... N> struct {name}_l {{ static constexpr int size = sizeof...(N); static constexpr int sum = (N + ... + 0); }};",
        f"template <class T, T... N> FN int {name}_v() {{ int a[] = {{(int)N...}}; int s = 0; for (int v : a) s = s * 2 + v; return s; }}",
    )
    arguments = [w.pick("1", "'a'", "2.0", "3.f", "4l", "(short)5", "true") for _ in range(w.random.randint(1, 4))]
    listed = ", ".join(arguments)
    numbers = ", ".join(str(w.random.randint(0, 9)) for _ in range(w.random.randint(1, 4)))
    for body in (
        f"{name}_n({listed})",
        f"{name}_s({listed})",
        f"{name}_f({listed})",
        f"{name}_l<{numbers}>::sum",
        f"{name}_l<{numbers}>::size",
        f"{name}_v<{w.pick('int', 'short', 'char')}, {numbers}>()",
    ):
        if w.chance(0.8):
            w.ask(body)


def _aliases(w: Writer) -> None:
    name = w.name("a")
    w.add(
        f"template <class T> using {name}_p = T *; template <class T> using {name}_q = Q<T, {w.scalar()}>;",
        f"template <class T, int N = {w.random.randint(1, 5)}> using {name}_a = T[N]; template <bool B> using {name}_c = typename conditional<B, char, double>::type;",
        f"template <class T> using {name}_r = typename plain<T>::type;",
    )
    for body in (
        f"sizeof({name}_p<{w.pick('int', 'A')}>)", f"sizeof({name}_q<{w.scalar()}>)", f"sizeof({name}_a<{w.scalar()}>)", f"sizeof({name}_a<{w.scalar()}, 7>)",
        f"sizeof({name}_c<(sizeof({w.scalar()}) > 2)>)", f"(same<{name}_r<{w.pick('const int', 'int &', 'int')}>, int>::value)", f"sizeof(typename P<{name}_q<char>>::type)",
    ):  # fmt: skip
        if w.chance(0.6):
            w.ask(body)


def _deduced(w: Writer) -> None:
    """Class template arguments from constructors, from members of an aggregate and from guides."""
    name = w.name("C")
    kind = w.random.randint(0, 2)
    if kind == 0:
        w.add(
            f"template <class T, class U = {w.pick('char', 'double')}> struct {name} {{ T t; U u; FN {name}(T t, U u) : t(t), u(u) {{}} FN {name}(T t) : t(t), u(1) {{}} }};"
        )
        calls = ["(1, 2.0)", "{'a', 'b'}", "(1.5f, (short)2)", "(7)", "{7l}"]
    elif kind == 1:
        w.add(f"template <class T, class U> struct {name} {{ T t; U u; }};")
        calls = ["{1, 2.0}", "{'a', 'b'}", "{(short)1, 2l}"]
    else:
        w.add(
            f"template <class T> struct {name} {{ T t; FN {name}(const T &t) : t(t) {{}} template <class U> FN {name}(U *u, int) : t(*u) {{}} }};"
        )
        w.add(f"template <class U> {name}(U *, int) -> {name}<U>;")
        calls = ["(1)", "(2.0)", "{'a'}", "(&i, 3)"]
    for call in calls:
        w.ask(f"int i = 1; {name} x{call}; return sizeof(x) + 100 * i;")


def _reference(w: Writer) -> None:
    """What an expression's type is: decltype, forwarding references, auto."""
    name = w.name("r")
    w.add(
        f"template <class T> struct {name} {{ static constexpr int v = {w.tag()}; }};",
        f"template <class T> struct {name}<T &> {{ static constexpr int v = {w.tag()}; }};",
        f"template <class T> struct {name}<T &&> {{ static constexpr int v = {w.tag()}; }};",
        f"template <class T> struct {name}<const T> {{ static constexpr int v = {w.tag()}; }};",
        f"template <class T> struct {name}<const T &> {{ static constexpr int v = {w.tag()}; }};",
        f"template <class T> struct {name}<T *> {{ static constexpr int v = {w.tag()}; }};",
        f"template <class T> FN int {name}_f(T &&t) {{ return {name}<T>::v * 3 + {name}<T &&>::v; }}",
        f"template <class T> FN int {name}_g(T t) {{ return {name}<T>::v; }}",
        f"template <class T> FN int {name}_h(const T &t) {{ return {name}<T>::v + {name}<decltype(t)>::v; }}",
        f"FN int &{name}_l(int &x) {{ return x; }} FN int {name}_m(int x) {{ return x; }} FN const int &{name}_c(const int &x) {{ return x; }}",
    )
    setup = "int x = 1; const int c = 2; int *p = &x; int a[2] = {}; A s{}; const A k{}; int &r = x; "
    e = w.pick("x", "(x)", "c", "(c)", "*p", "a[0]", "p", "(p)", "s.x", "(s.x)", "k.x", "(k.x)", "r", "x + 1", "x = 2", "++x", "x++", f"{name}_l(x)", f"{name}_m(x)", f"{name}_c(x)",
               "static_cast<int &&>(x)", "(c ? x : x)", "(c ? x : 1)", "a", "&x", "s", "A{}", "+x", "x, c")  # fmt: skip
    w.ask(f"{setup}return {name}<decltype({e})>::v;")
    for what in ("f", "g", "h"):
        e = w.pick(
            "x",
            "c",
            "*p",
            "p",
            "s",
            "k",
            "r",
            "1",
            "A{}",
            f"{name}_l(x)",
            f"{name}_c(x)",
            "static_cast<int &&>(x)",
            "a",
            "k.x",
        )
        w.ask(f"{setup}return {name}_{what}({e});")
    e = w.pick("x", "c", "r", "p", "a", "k", f"{name}_c(x)", f"{name}_l(x)", "1.5")
    w.ask(
        f"{setup}{w.pick('auto', 'auto &&', 'const auto &', 'decltype(auto)')} y = {e}; return {name}<decltype(y)>::v;"
    )


def _members(w: Writer) -> None:
    name = w.name("M")
    w.add(
        f"template <class T> struct {name} {{ T t; template <class U> FN int f(U) const {{ return {w.tag()} + (int)sizeof(U) * 10 + (int)sizeof(T) * 100; }}",
        f"  FN int f(T) const {{ return {w.tag()}; }} template <int N> FN int g() const {{ return N * {w.random.randint(2, 5)}; }}",
        "  template <int N, class U> static FN int h(U u) { return N + (int)sizeof(U) + (int)sizeof(T); } struct In { T a; char b; }; FN int out(int x) const;",
        f"  static constexpr int k = sizeof(T) * 2; template <class U> struct Reb {{ T a; U b; }}; using self = {name}; FN int me() const {{ return sizeof({name}) + sizeof(self); }} }};",
        f"template <class T> FN int {name}<T>::out(int x) const {{ return x * (int)sizeof(T) + k; }}",
        f"template <class T> FN int {name}_t(const {name}<T> &m) {{ return m.template g<3>() + {name}<T>::template h<2>(1.0) + (int)sizeof(typename {name}<T>::In); }}",
    )
    type_ = w.pick("int", "char", "double", "short")
    for body in (
        f"{name}<{type_}> m{{}}; return m.f({w.pick('1', 'A{}', '2.0', '(short)1')});", f"{name}<{type_}> m{{}}; return m.template g<{w.random.randint(1, 6)}>() + m.g<2>();",
        f"return {name}<{type_}>::h<{w.random.randint(1, 9)}>({w.pick('1', '1.5', '(char)1')});", f"return sizeof({name}<{type_}>::In) + {name}<{type_}>::k;",
        f"{name}<{type_}> m{{}}; return m.out({w.random.randint(1, 9)}) + m.me();", f"{name}<{type_}> m{{}}; return {name}_t(m);", f"return sizeof({name}<{type_}>::Reb<{w.pick('char', 'double')}>);",
    ):  # fmt: skip
        if w.chance(0.7):
            w.ask(body)


def _hiding(w: Writer) -> None:
    """Which declarations of a name are found: blocks, namespaces, arguments' namespaces, using."""
    n, f = w.name("n"), w.name("f")
    tags = [w.tag() for _ in range(6)]
    w.add(
        f"FN int {f}(int) {{ return {tags[0]}; }} FN int {f}(double) {{ return {tags[1]}; }}",
        f"namespace {n} {{ struct Z {{ int z; }}; FN int {f}(long) {{ return {tags[2]}; }} FN int {f}(Z) {{ return {tags[3]}; }} FN int {n}_in() {{ return {f}(1); }} constexpr int c{f} = {tags[4]};",
        f"  namespace deep {{ FN int {f}(char) {{ return {tags[5]}; }} FN int here() {{ return {f}(1.5); }} }} }}",
        f"constexpr int c{f} = {w.tag()};",
    )
    z = f"{n}::Z{{}}"
    for body in (
        f"return {f}(1) + {f}(1.5f);", f"using {n}::{f}; return {f}(1.0);", f"using {n}::{f}; return {f}({z});", f"return {f}({z});", f"using namespace {n}; return {f}('a') + {f}(2l);",
        f"return {n}::{n}_in() + {n}::deep::here();", f"return {n}::{f}(1.5);", f"using {n}::deep::{f}; return {f}(1.5);", f"using {n}::c{f}; return c{f};", f"int c{f} = 3; {{ int c{f} = 4; }} return c{f} + {n}::c{f};",
        f"namespace q = {n}::deep; return q::{f}(7);", f"FN_LOCAL int {f} = 5; return {f} + ::{{}}::c{f};".replace("FN_LOCAL ", "").replace("::{}::", f"{n}::"),
    ):  # fmt: skip
        if w.chance(0.5):
            w.ask(body)


def _templates(w: Writer) -> None:
    """Template template arguments."""
    name = w.name("W")
    w.add(
        f"template <class T> struct {name}_b {{ T a, b; }};",
        f"template <template <class> class X, class T> struct {name} {{ X<T> x; static constexpr int v = sizeof(X<T>) + {w.tag()}; }};",
        f"template <class T> struct {name}<P, T> {{ static constexpr int v = {w.tag()}; }};" if w.chance(0.4) else "",
        f"template <class T> struct {name}_d {{ static constexpr int v = {w.tag()}; }};",
        f"template <template <class> class X, class T> struct {name}_d<X<T>> {{ static constexpr int v = {w.tag()} + (int)sizeof(T); }};",
        f"template <template <class> class X, class T> FN int {name}_f(X<T> x) {{ return sizeof(X<char>) * 10 + sizeof(T); }}",
        f"template <template <class, class> class X> FN int {name}_g() {{ return sizeof(X<{w.scalar()}, char>); }}",
    )
    t = w.scalar()
    for body in (f"{name}<P, {t}>::v", f"{name}<{name}_b, {t}>::v", f"{name}_d<P<{t}>>::v", f"{name}_d<{t}>::v", f"{name}_d<{name}_b<{t}>>::v", f"{name}_f(P<{t}>{{}})",
                 f"{name}_f({name}_b<{t}>{{}})", f"{name}_g<Q>()", f"{name}_d<Q<int, int>>::v"):  # fmt: skip
        if w.chance(0.7):
            w.ask(body)


def _values(w: Writer) -> None:
    """Arguments that are numbers: of all types, with defaults, recursive."""
    name = w.name("N")
    w.add(
        f"template <int N, int M = N * {w.random.randint(2, 4)}> struct {name} {{ static constexpr int v = N * 100 + M; char c[M + 1]; }};",
        f"template <int M> struct {name}<{w.random.randint(0, 3)}, M> {{ static constexpr int v = {w.tag()}; }};",
        f"template <int N> struct {name}<N, N> {{ static constexpr int v = {w.tag()}; }};" if w.chance(0.4) else "",
        f"template <unsigned char N> FN int {name}_u() {{ return N; }} template <auto N> FN int {name}_a() {{ return sizeof(N) * 10 + (int)N; }}",
        f"template <int N> FN int {name}_r() {{ if constexpr (N <= 0) return {w.random.randint(0, 3)}; else return N + {name}_r<N - {w.random.randint(1, 2)}>(); }}",
        f"template <bool B> FN int {name}_b() {{ return B ? {w.tag()} : {w.tag()}; }} template <> FN int {name}_b<true>() {{ return {w.tag()}; }}",
        f"template <class T, T V_> struct {name}_c {{ static constexpr T value = V_; using type = T; }};",
        f"template <int N> FN int {name}_x(const char (&)[N]) {{ return N; }} template <class T, int N, int M> FN int {name}_y(T (&a)[N][M]) {{ return N * 10 + M; }}",
    )
    a, b = w.random.randint(0, 4), w.random.randint(0, 4)
    for body in (f"{name}<{a}>::v", f"{name}<{a}, {b}>::v", f"{name}<{b}, {b}>::v", f"{name}_u<{w.random.randint(0, 255)}>()", f"{name}_a<{w.pick('3', 'true', chr(39) + 'a' + chr(39), '5ll', '(short)2')}>()",
                 f"{name}_r<{w.random.randint(0, 9)}>()", f"{name}_b<({a} < {b})>()", f"{name}_c<{w.integer()}, {a}>::value + sizeof({name}_c<{w.scalar() if False else 'short'}, 1>::type)",
                 f'{name}_x("{"a" * a}")', f"int t[{a + 1}][{b + 2}] = {{}}; return {name}_y(t);"):  # fmt: skip
        if w.chance(0.7):
            w.ask(body)
