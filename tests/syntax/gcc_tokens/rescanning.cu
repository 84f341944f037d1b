// Recursion stops, names are painted, and arguments may start in one expansion and end behind it.
#define SELF SELF + 1
#define PING PONG 1
#define PONG PING 2
#define TWICE(x) TWICE(x) * 2
#define APPLY(f, x) f(x)
#define SQUARE(x) ((x) * (x))
#define ALIAS SQUARE
#define OPEN (
#define LATE() SQUARE
#define HALF SQUARE(3
#define FIRST(a) a * SECOND
#define SECOND(a) FIRST(a)
#define ID(x) x
#define KEEP(x) ID(KEEP_TOO)(x)
#define KEEP_TOO(x) ID(x) KEEP(x)
#define NONE() none
#define DELAY(m) m BLANK()
#define BLANK()
#define AGAIN(x) ID(ID(ID(x)))
SELF PING PONG TWICE(TWICE(1)) APPLY(SQUARE, 4) APPLY(APPLY, 5) ALIAS(6) ALIAS OPEN 7) LATE()(8) HALF)
FIRST(2)(9) KEEP(1) NONE() NONE ( ) NONE
() ID(NONE)() ID(ID)(ID)(3) ID(ID(ID)(4)) AGAIN(DELAY(NONE)()) DELAY(NONE)() ID(SELF ID(SELF))
SQUARE
(
  a +
  b
) SQUARE;
#undef SQUARE
SQUARE(1) ALIAS(2)
#define SQUARE(a, b) [a][b]
SQUARE(1,
#ifdef SELF
2
#else
3
#endif
)
ID(
#undef PING
PING) PING
