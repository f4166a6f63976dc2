SELECT id FROM left_side UNION ALL SELECT id FROM right_side ORDER BY id
