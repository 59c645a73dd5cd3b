"""What several games share without being common to all of them."""
