SELECT id FROM orders WHERE NOT (status IN << statuses >>) AND id < 4 ORDER BY id
