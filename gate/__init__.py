"""Retrieval Gate: a regression gate for agent memories, RAG stores and search indexes."""

__version__ = "0.1.0"
