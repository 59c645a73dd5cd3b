"""Computer players: ordinary clients of the gateway."""
