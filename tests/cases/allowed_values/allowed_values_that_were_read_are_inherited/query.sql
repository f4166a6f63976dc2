SELECT a.id FROM of_status AS a JOIN of_status AS b ON b.id = a.id WHERE a.status = << status >> ORDER BY a.id LIMIT 2
