SELECT id FROM shipped WHERE quantity > << least >> ORDER BY id
