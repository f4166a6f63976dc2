SELECT id, city FROM customers WHERE name = << name >>
