"""What tests share: real servers, services as processes, clients, waiting for conditions."""
