"""Entries and runs to pages, notebooks and feeds."""
