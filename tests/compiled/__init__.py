"""An oracle that shares nothing with the analysis: generated kernels, compiled for the host, against every claim of the JSON.

`program` writes a kernel once, with marks at its accesses, tests and calls; `marks` turns that into CUDA for the analysis and into C++ for
g++, in which each mark is a hook.  `runtime/` runs the C++ lane by lane and counts requests, sectors, wavefronts and splits by the
published rules of the hardware.  `compare` holds each figure of the analysis against what was counted.  What a kernel means is decided by a C++
compiler, and what it costs by `runtime/costs.h`: no line of `analysis_core` is read by either.

`python -m tests.compiled.hunt FIRST COUNT` looks for broken claims; `--shrink` makes their kernels small.
"""
