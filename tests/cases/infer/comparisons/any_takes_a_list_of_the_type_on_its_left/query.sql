-- calls: 3, 0
SELECT count(*) AS n
FROM orders
WHERE quantity = ANY(<< a >>) AND status = ANY(<< b >>) AND day = ANY(<< c >>) AND quantity % 3 = SOME(<< e >>)
