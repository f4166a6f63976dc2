SELECT id
FROM orders
-- error: [invalid-query]
WHERE arrow_cast(quantity, 'Date32') < << day: date >>
