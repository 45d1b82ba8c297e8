"""The demo of the Rapid Test: queries of rendered people, what is planted, a service that is worse for some."""
