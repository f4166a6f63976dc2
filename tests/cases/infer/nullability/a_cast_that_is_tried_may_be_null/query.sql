SELECT id, try_cast(note AS bigint) AS n FROM orders WHERE id = 1 AND note IS NOT NULL
