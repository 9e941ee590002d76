"""Drop-in for Paddle Lite's Python package: ``from paddlelite.lite import *``."""
