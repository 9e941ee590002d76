"""What the exporter and the reader both know of recurrent layers."""

GATES = {
    "LSTM": [0, 3, 1, 2],
    "GRU": [1, 0, 2],
    "GRU_RESET_FIRST": [1, 0, 2],
    "RNN_TANH": [0],
    "RNN_RELU": [0],
}
"""Where ONNX's gates stand in Paddle's order: i o f c of i f c o, z r h of r z c."""
