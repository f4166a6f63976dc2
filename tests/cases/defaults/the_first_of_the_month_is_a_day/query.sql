SELECT id, day FROM orders
WHERE day >= << since = CAST(date_trunc('month', current_date) AS date) >>
ORDER BY id
