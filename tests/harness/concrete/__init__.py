"""What requests really cost, found by running a fixture on the host; see run.py."""
