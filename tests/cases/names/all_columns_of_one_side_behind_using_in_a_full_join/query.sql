-- error: [invalid-query]
SELECT orders.*
FROM orders FULL JOIN customers USING (id)
WHERE id > << id: bigint >>
