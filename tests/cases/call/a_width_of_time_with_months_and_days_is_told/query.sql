SELECT id, time_bucket(<< width: interval >>, placed_at, TIMESTAMP '2000-01-01 00:00:00') AS bucket FROM orders WHERE id = 10
