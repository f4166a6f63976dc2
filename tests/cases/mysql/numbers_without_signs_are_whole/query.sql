SELECT id, u FROM t WHERE u >= << least >> ORDER BY u DESC, id LIMIT 5
