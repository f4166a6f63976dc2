SELECT date_trunc(<< unit: text >>, placed_at) AS period, status, count(*) AS orders
FROM orders
GROUP BY ROLLUP (date_trunc(<< unit >>, placed_at), status)
ORDER BY period, status
