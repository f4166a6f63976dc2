SELECT id, price * quantity AS cost FROM orders ORDER BY cost DESC, id
