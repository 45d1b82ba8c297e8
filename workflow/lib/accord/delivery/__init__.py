"""Delivery: what vendors do on their own machine, before they send: make a delivery, seal it, have it judged."""
