"""A mailing list's archive (mbox) as records: the list becomes a channel, subjects become topics. Reads only."""
