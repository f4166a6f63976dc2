SELECT count(*) AS n
FROM by_id
JOIN by_status ON by_status.id = by_id.id
