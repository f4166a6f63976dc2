WITH picked AS (SELECT status FROM orders WHERE id > 0 [[ AND day >= << since >> ]])
SELECT status, count(*) AS orders FROM picked GROUP BY status ORDER BY status
