"""The version of this program, as pyproject.toml has it.  Asking the installed package takes as long as a tenth of starting."""

VERSION = "0.1.0"
