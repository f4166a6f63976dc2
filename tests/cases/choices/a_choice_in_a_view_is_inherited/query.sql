SELECT key, orders FROM per_key WHERE orders >= << least >> ORDER BY orders DESC, key
