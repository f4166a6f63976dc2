-- calls: 3
SELECT count(*) AS n FROM items WHERE cardinality(tags || << a >>) > 2 AND cardinality(<< b >> || tags) > 1
