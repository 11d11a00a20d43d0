"""Permissions and visibility. `access_*` returns the row or raises one error; `visible_*_sql` lists."""
