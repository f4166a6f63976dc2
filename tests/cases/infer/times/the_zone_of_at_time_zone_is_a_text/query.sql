SELECT id, placed_at AT TIME ZONE << zone >> AS at FROM orders ORDER BY id
