"""The passes, one a file, named as Paddle Lite names them."""
