SELECT id, name FROM customers WHERE city = << city >>
