"""The base of a change: what settings, recipes, budgets and baselines asked for before it, and what is asked for less.

Which commit that is, is told by `--base` or by the event of a CI run. Its files are read from
git's objects into a folder, by the same readers as those of the head.
"""
