"""Rockchip's NPUs of today (RK3588 and its like), by rknn-toolkit2 and its simulator."""
