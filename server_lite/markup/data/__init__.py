"""Data files of the renderer and the script that makes them. Nothing here is imported at run time."""
