SELECT t.id, f.word FROM t JOIN f ON f.id = t.id WHERE t.id >= << least: int >> ORDER BY t.id
