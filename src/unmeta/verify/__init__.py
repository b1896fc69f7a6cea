"""Run snippets, record what happened, judge it against the entries."""
