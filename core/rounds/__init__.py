"""Round events, the ledger that folds them, and the one function that says how a round ended."""
