"""Small parts the views are put together from."""
