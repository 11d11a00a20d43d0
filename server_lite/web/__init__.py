"""What a browser asks for outside the API: pages for people, files, pictures."""
