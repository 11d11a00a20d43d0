"""Who may see and do what. `access_*` returns the row or raises the one error; `visible_*_sql` lists."""
