"""Face services that are paid for: asked within limits, replayed from the vault."""
