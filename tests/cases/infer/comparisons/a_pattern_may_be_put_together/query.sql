-- calls: 3
SELECT count(*) AS n
FROM orders
WHERE note LIKE '%' || << a >> || '%' AND status ILIKE << b >> || '%' AND note ~ ('^' || << c >>)
