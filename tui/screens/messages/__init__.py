"""One message: what is done with it, what is known of it, where its links lead, its pictures."""
