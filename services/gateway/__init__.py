"""The door from outside: connections of players, and the public services passed on."""
