"""Settlement, ledger, victory points, ratings and the archive of matches."""
