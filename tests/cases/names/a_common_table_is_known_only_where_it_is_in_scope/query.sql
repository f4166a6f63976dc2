SELECT a.id
FROM (WITH recent AS (SELECT id FROM orders) SELECT id FROM recent) AS a
-- error: [unknown-table]
JOIN recent AS b ON b.id = a.id
