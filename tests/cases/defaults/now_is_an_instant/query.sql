SELECT id FROM types
WHERE instant BETWEEN << since = now() - interval '1 hour' >> AND << until = now() >>
ORDER BY id
