-- error: [cannot-infer-type]
SELECT id, << x >> AS x
FROM orders
-- error: [unknown-column]
WHERE statuss = 'open'
