SELECT id FROM orders WHERE status = coalesce(<< status?: text >>, 'returned') ORDER BY id
