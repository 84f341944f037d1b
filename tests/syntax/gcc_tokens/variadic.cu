#define LOG(format, ...) report(format, __VA_ARGS__)
#define LOG_GNU(format, rest...) report(format, ## rest)
#define LOG_STD(format, ...) report(format, ##__VA_ARGS__)
#define LOG_OPT(format, ...) report(format __VA_OPT__(,) __VA_ARGS__)
#define ALL(...) all(__VA_ARGS__)
#define ALL_GNU(...) all(a, ## __VA_ARGS__)
#define COUNT(...) PICK(__VA_ARGS__, 3, 2, 1, 0)
#define PICK(a, b, c, n, ...) n
#define QUOTE(...) #__VA_ARGS__
#define EMPTY
#define PREFIX(x, ...) x ## __VA_OPT__(_many) tail
void f() {
    LOG("a", 1); LOG("b",); LOG_GNU("c"); LOG_GNU("d",); LOG_GNU("e", 1, EMPTY, 2); LOG_STD("f"); LOG_STD("g", x, y);
    LOG_OPT("h"); LOG_OPT("i", 1, 2); LOG_OPT("j", EMPTY); ALL(); ALL(1); ALL((1, 2), {3, 4}); ALL_GNU(); ALL_GNU(1, 2);
    COUNT(a); COUNT(a, b); COUNT(a, b, c); QUOTE(a,  b , "c"); QUOTE(); QUOTE( , ); PREFIX(one) PREFIX(two, 2)
}
