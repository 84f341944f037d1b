#pragma once
once __FILE__ __LINE__ __INCLUDE_LEVEL__
#include "guarded.cuh"
