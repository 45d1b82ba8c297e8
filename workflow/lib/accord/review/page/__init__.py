"""The review page: its server, its routes and what guards them."""
