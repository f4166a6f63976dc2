WITH described AS (SELECT id AS number, note AS words FROM orders WHERE note IS NOT NULL)
SELECT DISTINCT a.number, b.words
FROM described AS a
LEFT JOIN described AS b ON b.number = a.number AND b.number > 1
WHERE a.number < 3
ORDER BY a.number
