SELECT id FROM orders -- ÿ
