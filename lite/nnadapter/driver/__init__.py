"""HAL drivers, one device a folder."""
