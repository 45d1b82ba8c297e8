"""What a run of any size costs, from what a run used."""
