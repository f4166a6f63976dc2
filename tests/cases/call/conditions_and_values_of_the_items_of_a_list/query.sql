SELECT
  id,
  EXISTS (SELECT 1 FROM unnest(items.tags) AS t(tag) WHERE t.tag = << tag >>) AS is_there,
  << tag >> IN (SELECT t.tag FROM unnest(items.tags) AS t(tag)) AS is_in,
  (SELECT count(*) FROM unnest(items.tags) AS t(tag)) AS n,
  (SELECT max(t.tag) FROM unnest(items.tags) AS t(tag) WHERE t.tag <> << tag >>) AS last_other,
  (SELECT t.tag FROM unnest(items.tags) AS t(tag) ORDER BY t.tag DESC LIMIT 1) AS last
FROM items
ORDER BY id
