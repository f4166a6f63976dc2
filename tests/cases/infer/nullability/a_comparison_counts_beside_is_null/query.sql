-- calls: 20, 6, 3
SELECT count(*) AS n
FROM orders
WHERE (<< status? >> IS NULL OR status = << status >>) AND (quantity > << least? >> OR << least >> IS NULL)
