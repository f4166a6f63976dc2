SELECT id FROM orders WHERE id < 3 ORDER BY coalesce(<< sort: text >>, status), id DESC
