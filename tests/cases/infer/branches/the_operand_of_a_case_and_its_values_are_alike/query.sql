SELECT count(CASE status WHEN << a >> THEN 1 WHEN << b >> THEN 2 END) AS n
FROM orders
WHERE CASE << c >> WHEN quantity THEN true WHEN price THEN true ELSE false END
