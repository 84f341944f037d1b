#include <cuda_runtime.h>
#include "parts/once.cuh"
#include "parts/once.cuh"
#include "parts/../parts/guarded.cuh"
#define HEADER "parts/guarded.cuh"
#define ANGLED <parts/once.cuh>
#undef GUARDED_CUH
#include HEADER
#include ANGLED
#include "absent/never.h"  // a comment behind it
FROM_HEADER(1) __LINE__ __COUNTER__ __COUNTER__ __FILE__ __BASE_FILE__
#define HERE(x) x __LINE__
HERE(
  1
)
HERE(HERE(__LINE__)

  HERE(2)
)
#define COUNTED __COUNTER__
COUNTED COUNTED
