"""The `tavolo` command."""
