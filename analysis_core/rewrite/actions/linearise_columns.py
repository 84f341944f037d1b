"""Matrix linearisation by columns: see linearise.py."""

from __future__ import annotations

from analysis_core.rewrite.actions.linearise import by

ACTION = by(True)
