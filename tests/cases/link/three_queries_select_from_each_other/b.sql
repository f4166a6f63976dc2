SELECT id FROM query
