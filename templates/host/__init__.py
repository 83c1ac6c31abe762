"""The host driver: a host body as a Python module over the runtime's host interface."""
