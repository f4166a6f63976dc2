SELECT id, price * quantity AS total FROM orders ORDER BY total DESC, id
