SELECT id AS "a b", id AS "a|b", id AS "Größe", id AS "", id AS "$1", id AS "a""b", id AS "__proto__" FROM orders
