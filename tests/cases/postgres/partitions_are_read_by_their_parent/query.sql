SELECT id, day FROM part ORDER BY id
