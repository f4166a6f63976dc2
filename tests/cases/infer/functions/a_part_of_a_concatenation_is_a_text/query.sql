-- calls: 5, 0
SELECT count(*) AS n
FROM orders
WHERE << a >> || status = << b >> || 'open' AND quantity || << c >> <> note AND << e >> || << f >> = 'ab'
