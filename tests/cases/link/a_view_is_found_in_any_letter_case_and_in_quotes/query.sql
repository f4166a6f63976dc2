SELECT a.id FROM Shipped AS a JOIN "shipped" AS b ON b.id = a.id ORDER BY a.id LIMIT 1
