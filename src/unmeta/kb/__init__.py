"""The knowledge base: entries as data, loaded strictly and checked."""
