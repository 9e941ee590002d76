"""lite bench: a model's time and memory, where the time goes, and other engines beside it."""
