"""One request per file: plain functions of a report, without protocol types and without state."""
