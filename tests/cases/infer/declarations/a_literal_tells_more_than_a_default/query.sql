SELECT count(*) AS n FROM orders WHERE << a = 5 >> > 0.5 AND << b = '2024-03-01' >> > DATE '2024-02-01'
