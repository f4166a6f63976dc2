SELECT id, p, q
FROM events
WHERE id >= << first_id >>
ORDER BY id
