"""What every service shares: settings, logs, metrics, health, gRPC, NATS, PostgreSQL, tokens, and a graceful
stop."""
