"""The clock service: it holds every running deadline and tells the engine when one has passed."""
