"""Metrics of the bots service."""

from services.runtime.metrics import counter, gauge

PLAYERS = gauge("tavolo_bots_players_connected", "Computer players with an open connection.")
SEATS = gauge("tavolo_bots_seats_played", "Seats at running matches that the computer players hold.")
MOVES = counter("tavolo_bots_moves_made", "Moves that the computer players made.", ("game",))
REFUSALS = counter("tavolo_bots_refusals", "Commands of computer players that were refused.", ("reason",))
