SELECT id AS a@b, "@id"
FROM (SELECT id, id AS "@id", tags FROM items) AS t
WHERE tags @> ['red']
