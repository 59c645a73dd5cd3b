"""One module a game, in the order in which a person would tell its rules."""
