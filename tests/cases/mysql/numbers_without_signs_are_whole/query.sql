SELECT id, u FROM t WHERE u >= << least >> ORDER BY u DESC LIMIT 5
