"""Tests of Tavolo: everything against real processes."""
