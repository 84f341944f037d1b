"""Random kernels and a concrete machine to run them: the oracle of test_random_kernels.py.

    syntax.py      the little language that kernels are generated in, with C's types
    printing.py    a kernel as CUDA text, with the byte range of every access and test
    generator.py   random kernels: statements and loops (with expressions.py)
    machine.py     runs a kernel in lock step (with evaluation.py, memory.py, record.py, request_costs.py)
    comparison.py  the analysis against what the machine saw
    containment.py whether a warp's addresses and decisions lie in an event's polynomials and conditions
    shrinking.py   the smallest kernel that still shows a disagreement
    hunt.py        many seeds from a command line

Only comparison.py and hunt.py run the analysis, and containment.py reads its values: costs, C arithmetic and
reconvergence are told once more.
"""
