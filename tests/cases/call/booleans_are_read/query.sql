SELECT name FROM customers WHERE vip = << vip >> ORDER BY name
