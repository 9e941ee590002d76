"""Programs that show the framework at work on real models."""
