"""Statistics of the verdict: one file a method, each with its source. numpy at most."""
