SELECT id FROM orders WHERE status = << a? >> AND quantity = coalesce(<< b?: bigint >>, quantity)
