SELECT date_trunc(<< unit: text >>, placed_at) AS since FROM orders WHERE id = 1
