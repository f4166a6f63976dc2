SELECT id FROM t WHERE id IN << ids >> [[ AND x NOT IN << but >> ]] ORDER BY id
