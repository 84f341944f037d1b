// Stringification, pasting, and the white space between.
#define TEXT(a) #a
#define WIDE(a) TEXT(a)
#define JOIN(a, b) a##b
#define JOIN_LATER(a, b) JOIN(a, b)
#define THREE(a, b, c) a##b##c
#define NOTHING
#define MAKER hash ## # ## mark
#define LANE(k) lane_##k
const char *words[] = {TEXT(a + b), TEXT( a  +
   b ), WIDE(JOIN(x, y)), TEXT("q\"uoted\n" 'c' '"'), TEXT(), TEXT(\ x \y), WIDE(NOTHING), TEXT(f(1, 2)[3]),
   WIDE(a NOTHING b), WIDE(-NOTHING-), WIDE( NOTHING c NOTHING ), TEXT(R"(raw "text\)"), TEXT((k<<<1, 2>>>))};
int JOIN(al, pha), JOIN_LATER(LANE(3), _end), JOIN(, 4), JOIN(5, ), JOIN(,) THREE(a, , c), THREE(, b, ), THREE(,,);
double d = JOIN(1., 5e-3) JOIN(+, =) JOIN(-, >) JOIN(<, <=);
#define ROW(n) JOIN(row, n) = { LANE(n), TEXT(LANE(n)), WIDE(LANE(n)) }
int ROW(7);
#define INNER_NAME JOIN(IN, NER)
#define INNER inner value
INNER_NAME JOIN(INNER, _NAME)
