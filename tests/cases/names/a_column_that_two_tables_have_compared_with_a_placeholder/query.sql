-- error: [ambiguous-column]
SELECT name FROM orders AS o JOIN customers AS c ON c.id = o.customer_id WHERE id = << id >>
