#ifndef GUARDED_CUH
#define GUARDED_CUH
#define FROM_HEADER(x) header(x)
guarded
#endif
