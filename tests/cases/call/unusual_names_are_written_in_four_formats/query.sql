SELECT id AS "a|b", status AS "a, b", note AS "line
break" FROM orders WHERE id = 1
