SELECT id FROM orders -- error: [invalid-name]
