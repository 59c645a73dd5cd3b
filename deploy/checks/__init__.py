"""Checks of built manifests: their schemas, and what no schema knows (names, settings, policies)."""
