SELECT a.id, b.name FROM a LEFT JOIN b ON b.id = a.b_id WHERE a.id <= << most >> ORDER BY a.id
