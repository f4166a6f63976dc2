SELECT n.id, n.total, f.total AS kept FROM nulls n LEFT JOIN fewer f ON f.id = n.id WHERE n.id >= << least >> ORDER BY n.id
