SELECT id, n FROM t WHERE [[ id = << id >> ]] ORDER BY id
