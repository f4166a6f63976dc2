SELECT kind, sum(num) AS total
FROM n
GROUP BY kind
HAVING CASE WHEN min(den) <> 0 THEN sum(num) / min(den) > << least: bigint >> ELSE true END
ORDER BY kind
