"""The lobby: accounts, nicknames and tokens; tables as rooms, until the engine plays at them."""
