SELECT t.*, i.tags, i.size, i.ratio, count(*) OVER () AS never_null, INTERVAL '1 day' AS span, X'00FF' AS bytes
FROM types AS t
JOIN (SELECT id, tags, size, ratio FROM items) AS i ON i.id = t.id
