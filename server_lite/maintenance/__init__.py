"""Files of servers: founding, backup, restore, checks, what was left beside them. Prints nothing."""
