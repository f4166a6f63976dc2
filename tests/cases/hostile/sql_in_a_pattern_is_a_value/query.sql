SELECT id FROM orders WHERE note LIKE << words >> ORDER BY id
