SELECT date_trunc(<< unit >>, placed_at) AS period FROM orders WHERE id = 1
