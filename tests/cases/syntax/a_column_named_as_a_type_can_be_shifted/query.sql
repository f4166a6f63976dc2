SELECT date << 2 AS shifted
FROM (SELECT id AS date FROM orders) AS renamed
