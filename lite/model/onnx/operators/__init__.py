"""The operators, a file for each family; ``export.exporters`` imports them all."""
