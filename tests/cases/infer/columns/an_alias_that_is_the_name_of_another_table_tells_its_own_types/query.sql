SELECT count(*) AS n
FROM types AS orders
JOIN orders AS types ON types.id = orders.id
JOIN items ON items.id = types.id AND items.big <> << e >>
WHERE orders.id < << a >> AND types.id > << b >> AND orders.big > << c >> AND types.price > << d >>
