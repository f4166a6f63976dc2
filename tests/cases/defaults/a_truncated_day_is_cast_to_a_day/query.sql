SELECT id, day FROM orders WHERE day >= << since = date_trunc('month', current_date) >> ORDER BY id
