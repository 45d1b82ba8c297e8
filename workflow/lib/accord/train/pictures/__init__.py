"""The pictures that a detector learns from: which, and how a network sees them."""
