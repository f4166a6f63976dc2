SELECT status, count(*) AS n
FROM orders
-- warning: [hand-written-clause]
WHERE << since? >> IS NULL OR day >= << since >> AND note IS NOT NULL
GROUP BY status
-- warning: [hand-written-clause]
HAVING << least >> IS NULL OR count(*) >= << least: int >>
ORDER BY status
