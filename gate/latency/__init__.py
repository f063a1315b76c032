"""Search times of two trees of code in one job: fresh processes by turns, and a rule that knows its noise."""
