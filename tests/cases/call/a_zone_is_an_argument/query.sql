SELECT id, placed_at AT TIME ZONE << zone >> AS at FROM orders WHERE id < 3 ORDER BY id
