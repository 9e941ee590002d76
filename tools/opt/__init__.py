"""paddle_lite_opt: converts models into optimised ones."""
