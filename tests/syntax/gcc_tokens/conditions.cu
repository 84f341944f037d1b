#define TRUE_LATER defined(__CUDACC__)
#define WIDTH 32
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#if 1 ? 2 : (1 / 0)
a1
#endif
#if (0 && 1 / 0) || !(1 || 1 % 0) || MAX(WIDTH, 16) == 32
a2
#endif
#if -1 > 0u && ~0u == 18446744073709551615u && 10u - 11 > 0 && -1 < 0
a3
#endif
#if (-1 >> 1) == -1 && (1 << 3 | 1) == 9 && (6 & 3) == 2 && (6 ^ 3) == 5 && -7 / 2 == -3 && -7 % 4 == -3 && 7 % -4 == 3
a4
#elif 1
wrong
#endif
#if 'a' == 97 && '\n' == 10 && '\x41' == 'A' && '\101' == 'A' && '\'' == 39 && 'ab' == 24930
a5
#endif
#if 0 ? 1 : 0 ? 2 : 3
a6
#endif
#if 1 ? 0 ? 1 : 0 : 1
wrong
#else
a7
#endif
#if 0x1F == 31 && 017 == 15 && 0b101 == 5 && 1'000 == 1000 && 5ull == 5 && true && !false && not 0 and 1 or 0
a8
#endif
#if UNKNOWN || UNKNOWN_TOO + 1 != 1
wrong
#endif
#if TRUE_LATER && defined WIDTH && !defined(HEIGHT) && defined __global__
a9
#endif
#ifndef HEIGHT
#if 0
#bogus 'unterminated
#if 1
wrong
#else
wrong
#endif
#elif 1
a10
#else
wrong
#endif
#endif
#ifdef HEIGHT
#elifdef WIDTH
a11
#endif
#ifdef HEIGHT
#elifndef HEIGHT
a12
#endif
#if __CUDA_ARCH__ >= 800 && __CUDACC_VER_MAJOR__ == 12 && __cplusplus > 201402L
a13
#endif
#if __has_include("parts/once.cuh") && !__has_include("parts/absent.cuh") && __has_cpp_attribute(fallthrough)
a14
#endif
#if (2 + 3) * 4 - 6 / 3 == 18 && - - 1 == 1 && !-0
a15
#endif
