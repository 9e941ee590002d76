"""The device `qualcomm_qnn`: Snapdragon's HTP by the compiler of onnxruntime-qnn."""
