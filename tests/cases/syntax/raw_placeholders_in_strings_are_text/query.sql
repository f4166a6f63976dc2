SELECT '$1 ? :name @x %s {{ y }}' AS a
FROM orders
WHERE status = << status >>
