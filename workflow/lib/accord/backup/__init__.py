"""Backups of deliveries as ciphertext: whoever's key is destroyed is in none of them any more, wherever they lie."""
