"""What an edit does not change is not computed again: see host.py."""
