"""NNAdapter: devices, models and programs behind a hardware-neutral API."""
