SELECT CASE WHEN price > << cheap >> THEN 'dear' ELSE 'cheap' END AS band, count(*) AS orders
FROM orders
GROUP BY 1
