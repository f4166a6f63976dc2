SELECT t.id, t.qty, n.quantity FROM texts t JOIN nulls n ON n.id = t.id WHERE t.id >= << least >> ORDER BY t.id
