SELECT id FROM orders WHERE day = << day >>
