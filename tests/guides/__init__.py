"""The commands of the documents, run as they are written: read from the Markdown, page by page."""
