"""Model files to and from Program."""
