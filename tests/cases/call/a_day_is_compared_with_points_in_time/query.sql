SELECT id FROM orders WHERE placed_at >= << since: date >> AND placed_at < << since >> + INTERVAL '1 month' ORDER BY id
