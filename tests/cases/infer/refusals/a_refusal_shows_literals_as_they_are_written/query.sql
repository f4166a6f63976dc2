-- error: [invalid-query]
SELECT id FROM orders HAVING id > 5 AND status = 'it''s $1' AND price > 1.5 AND id < << most: bigint >>
