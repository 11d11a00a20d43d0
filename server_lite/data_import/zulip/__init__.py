"""An export of a full Zulip server, of any version from 4 on, as records of the plain form. Reads only."""
