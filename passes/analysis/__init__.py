"""What several passes ask: computed once, never changing the IR."""
