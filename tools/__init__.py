"""Command-line tools; installed as ``lite.tools``."""
