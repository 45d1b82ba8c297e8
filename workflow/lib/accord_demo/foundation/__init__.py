"""The demo of foundation models: people of five classes, a model that talks about them, and what is planted."""
