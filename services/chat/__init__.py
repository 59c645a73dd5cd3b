"""Chat at tables and in the lobby: cleaned, filtered, recorded, in order."""
