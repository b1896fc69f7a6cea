"""Answers for assistants: short texts with change, proof and trap, and a server that gives them."""
