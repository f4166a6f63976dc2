SELECT id FROM orders WHERE note IS NOT DISTINCT FROM << note? >> ORDER BY id
