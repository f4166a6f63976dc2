SELECT id FROM orders WHERE << a >> IN (SELECT city FROM customers) AND << b >> = (SELECT max(price) FROM orders)
