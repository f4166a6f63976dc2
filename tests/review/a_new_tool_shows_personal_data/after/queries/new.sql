SELECT id, lower(name) AS n FROM customers
