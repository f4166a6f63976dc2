SELECT id FROM orders -- error: [name-collision]
