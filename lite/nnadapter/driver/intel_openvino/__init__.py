"""The device `intel_openvino`: models run by the OpenVINO runtime of the PyPI package."""
