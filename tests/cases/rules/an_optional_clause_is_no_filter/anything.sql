SELECT count(*) AS n
-- warning: [unfiltered-scan]
FROM orders
WHERE << status? >> IS NULL OR status = << status? >>
