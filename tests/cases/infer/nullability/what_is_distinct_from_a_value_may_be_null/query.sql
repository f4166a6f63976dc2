SELECT id, note FROM orders WHERE id < 5 AND note IS DISTINCT FROM << note >> ORDER BY id
