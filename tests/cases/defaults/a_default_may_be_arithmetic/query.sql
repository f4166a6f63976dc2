SELECT id FROM orders
WHERE quantity >= << least = 2 * 3 >> AND quantity <= << most = (1 + 2) * 3 >> AND id > << from = -(2 + 2) >>
ORDER BY id
