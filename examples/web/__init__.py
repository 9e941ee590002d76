"""A page that reads text in pictures, without a server that computes."""
