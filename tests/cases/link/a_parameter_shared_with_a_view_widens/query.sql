SELECT id FROM cheap WHERE quantity <= << most >> ORDER BY id
