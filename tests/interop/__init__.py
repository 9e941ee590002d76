"""Exchange of `.nb` files with the real Paddle Lite."""
