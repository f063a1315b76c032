"""What others published, beside what was measured here: retrieval and answers apart, protocols compared."""
