SELECT t.id, w.what FROM t JOIN w ON w.d = t.d ORDER BY t.id
