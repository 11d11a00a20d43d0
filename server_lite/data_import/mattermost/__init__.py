"""A bulk export of Mattermost (JSON lines, or a .zip with them and their files) as records. Reads only."""
