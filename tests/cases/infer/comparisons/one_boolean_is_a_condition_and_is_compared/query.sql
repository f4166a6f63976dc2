SELECT count(*) AS n
FROM customers
WHERE << a >> = vip AND << a >> AND (NOT << b >> OR vip IS DISTINCT FROM << b >>)
