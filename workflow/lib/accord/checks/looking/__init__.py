"""How the pictures of a shard are looked at: one module for each thing that is looked for."""
