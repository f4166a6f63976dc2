SELECT id, date_diff(<< unit >>, day, DATE '2024-03-01') AS passed FROM orders ORDER BY id
