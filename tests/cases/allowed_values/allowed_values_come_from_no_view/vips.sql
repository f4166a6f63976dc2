/*--- { kind: view } ---*/
SELECT id, city FROM customers WHERE vip
