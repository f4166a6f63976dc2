SELECT id, big FROM items WHERE id <= << last >> ORDER BY id
