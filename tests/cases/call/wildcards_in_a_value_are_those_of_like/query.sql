SELECT id, note FROM orders WHERE note LIKE << words >> ORDER BY id
