SELECT id
FROM orders
WHERE quantity BETWEEN << low >> AND << high >>
