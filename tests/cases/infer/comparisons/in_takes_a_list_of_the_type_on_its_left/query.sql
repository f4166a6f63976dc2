SELECT id
FROM orders
WHERE status IN << a >> AND id NOT IN << b >> AND day IN << c >> AND lower(note) IN << d >>
