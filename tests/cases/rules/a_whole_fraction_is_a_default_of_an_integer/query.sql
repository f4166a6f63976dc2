SELECT id FROM orders WHERE quantity >= << least = 2.0 >> AND id > << above = '3' >>
