SELECT id, note FROM orders WHERE note = 'a|b' [[ OR id = << id >> ]] ORDER BY id
