SELECT id FROM large WHERE price < << below >> ORDER BY id
