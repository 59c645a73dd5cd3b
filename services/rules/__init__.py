"""The rules of Tavolo's games as a pure library: no I/O, no clock, no randomness of its own."""
