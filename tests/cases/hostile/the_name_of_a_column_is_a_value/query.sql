SELECT id FROM orders WHERE id < 3 ORDER BY << sort: text >>, id DESC
