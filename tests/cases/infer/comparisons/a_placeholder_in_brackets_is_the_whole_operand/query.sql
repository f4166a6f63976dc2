SELECT count(*) AS n
FROM orders
WHERE (<< a >>) = quantity AND price > ((<< b >>)) AND day BETWEEN (<< c >>) AND ((<< d >>))
