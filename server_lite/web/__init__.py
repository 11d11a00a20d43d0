"""Everything served to browsers outside the API: pages for people, files, images."""
