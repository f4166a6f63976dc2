SELECT id, city || name AS place FROM customers WHERE name = << name >>
