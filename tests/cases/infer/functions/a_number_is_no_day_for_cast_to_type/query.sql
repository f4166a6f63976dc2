SELECT id
FROM orders
-- error: [invalid-query]
WHERE cast_to_type(quantity, day) < << day: date >>
