"""The operators, a file for each family; ``export.operators`` imports them all."""
