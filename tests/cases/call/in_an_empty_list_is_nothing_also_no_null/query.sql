SELECT id, array_has(<< ds: date[] >>, d) AS has, d = ANY(<< ds >>) AS any, d IN << ds >> AS is_in, d NOT IN << ds >> AS is_out
FROM t ORDER BY id
