"""What all games share: cards, moves, states, views, options, matches, the registry and the case runner."""
