"""A run in parts: each shard asks a part of every trial's topics and judges nothing; a merge judges all of them."""
