SELECT id FROM orders WHERE quantity = << a: double >> AND day >= << b: timestamp >> AND id IN << c: decimal(20,2)[] >>
