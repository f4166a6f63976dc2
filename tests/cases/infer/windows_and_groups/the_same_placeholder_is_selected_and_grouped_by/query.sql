SELECT date_trunc(<< unit: text >>, placed_at) AS period, count(*) AS orders
FROM orders
WHERE quantity >= << least >>
GROUP BY date_trunc(<< unit >>, placed_at)
ORDER BY period
