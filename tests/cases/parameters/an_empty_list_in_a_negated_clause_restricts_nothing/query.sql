-- calls: 1 2 3, 1 2 3, 2 3
SELECT id FROM orders WHERE id < 4 [[ AND NOT (status IN << statuses >>) ]] ORDER BY id
