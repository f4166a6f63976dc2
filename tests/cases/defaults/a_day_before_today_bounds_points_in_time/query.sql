SELECT id FROM orders WHERE placed_at >= << since = current_date - 60 >> ORDER BY id
