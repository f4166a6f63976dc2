/*---
source: shop
---*/
SELECT id, doc ->> 'name' AS name, doc #>> '{a,b}' AS deep, tags[1] AS first, ts_rank(words, query) > 0 AS found
FROM native_operators_of_the_server.docs CROSS JOIN to_tsquery('simple', << words >>) AS query
WHERE doc @> << part: json >> AND doc ? 'name' AND tags && << tags: text[] >> AND words @@ query AND name ~* $$^a.*$$ AND name !~ E'\\d' AND doc -> 'n' <> 'null'::jsonb
ORDER BY id
