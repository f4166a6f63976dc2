SELECT id, id AS again, "id" AS "ID" FROM orders
