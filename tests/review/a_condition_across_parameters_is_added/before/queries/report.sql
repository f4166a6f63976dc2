SELECT id
FROM orders
WHERE day BETWEEN << first >> AND << last >>
