"""The InCore rail's expansions, one builder a collective, for `lower-composite-ops`."""
