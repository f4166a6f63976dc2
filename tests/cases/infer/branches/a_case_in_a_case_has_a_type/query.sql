SELECT count(*) AS n
FROM orders
WHERE CASE WHEN quantity > 5 THEN CASE status WHEN << a >> THEN << b >> ELSE price END ELSE << c >> END > 10
