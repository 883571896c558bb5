"""Where rows are kept: one module for each engine, and the SQL they share in `sql/`."""
