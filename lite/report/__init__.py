"""The placement report as text, JSON, Graphviz and HTML."""
