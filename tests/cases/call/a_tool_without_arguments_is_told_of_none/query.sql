SELECT id / (id - 10) AS part, chr(id - 1000) AS letter FROM orders
