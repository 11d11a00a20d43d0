"""Files of servers: making an organization, backup, restore, checks, what was left beside them. Prints nothing."""
