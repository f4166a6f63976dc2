SELECT id FROM orders ORDER BY << sort >>, id
