SELECT o.id, o.day, o.parent, o.kind, l.n
FROM orders o JOIN lines l ON l.order_id = o.id
WHERE o.day = << day >> AND l.order_id = << id >>
