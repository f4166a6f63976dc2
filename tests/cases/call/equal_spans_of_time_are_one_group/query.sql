SELECT span, count(*) AS n, min(id) AS first_id FROM rows GROUP BY span ORDER BY span
