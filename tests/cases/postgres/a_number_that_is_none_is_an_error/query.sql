SELECT id, n FROM t WHERE id > 0 [[AND id = << id >>]] ORDER BY id
