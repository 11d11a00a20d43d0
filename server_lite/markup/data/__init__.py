"""Data files of the renderer and the scripts that generate them. Nothing here is imported at run time."""
