"""Checks: one comparison each, wherever it comes from. One file a source."""
