"""First adoption: what `gate init` looks at in a repository, and the files that it writes there."""
