SELECT i.id FROM items AS i WHERE i.tags[1] = << tag >> ORDER BY i.id
