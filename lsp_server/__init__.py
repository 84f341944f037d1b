"""The language server: knows the protocol and when to run, nothing of how costs are found."""
