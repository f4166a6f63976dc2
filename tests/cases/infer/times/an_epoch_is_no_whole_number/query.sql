SELECT id FROM orders WHERE extract(epoch FROM placed_at) > << seconds >> ORDER BY id
