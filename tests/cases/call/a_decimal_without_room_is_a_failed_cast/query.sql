SELECT CAST(concat(id, '99') AS decimal(3, 2)) AS price FROM orders
