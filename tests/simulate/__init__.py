"""The lock-step simulator: results against numpy, counts against hand and profiler, faults, arguments."""
