SELECT id, placed_at FROM orders WHERE placed_at >= << since = current_date - 7 >> ORDER BY id
