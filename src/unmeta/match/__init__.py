"""Text to causes: clean a paste, find its symptoms, weigh the clues, rank."""
