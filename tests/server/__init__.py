"""Tests of the language server: its parts alone, and the whole of it driven over its streams."""
