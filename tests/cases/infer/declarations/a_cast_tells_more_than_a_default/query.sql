-- calls: 6, 3
SELECT count(*) AS n FROM orders WHERE day > CAST(<< a = '2024-06-01' >> AS date) AND price > << b = 5 >>::double
