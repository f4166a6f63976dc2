SELECT status, count(*) AS orders FROM by_status GROUP BY status ORDER BY status
