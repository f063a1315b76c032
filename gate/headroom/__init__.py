"""How far results stand from their budgets: how much could be lost before one goes red, and budgets to start from."""
