"""Writes kernels at random: `unit(seed)` in `generate`.  Other seeds are other kernels; one seed is always the same."""
