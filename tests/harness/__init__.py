"""Fixtures are CUDA files that say in comments what is to be found in them; this package reads and checks them."""
