"""GitHub around a run: the inputs of the Action, and the comment, summary, outputs and annotations of its verdict.

Nothing here decides anything. Whatever GitHub refuses is a sentence, and never changes an exit code.
"""
