"""Random kernels and a concrete machine to run them: the oracle of test_random_kernels.py.

    syntax.py      the little language that kernels are generated in, with C's types
    printing.py    a kernel as CUDA text, with the byte range of every access and test
    generator.py   random kernels: statements and loops (with expressions.py)
    machine.py     runs a kernel in lock step (with evaluation.py, memory.py, record.py, request_costs.py)
    comparison.py  the analysis against what the machine saw
    shrinking.py   the smallest kernel that still shows a disagreement
    hunt.py        many seeds from a command line

Nothing here but comparison.py and hunt.py imports the analysis: costs, C arithmetic and reconvergence are told once more.
"""
