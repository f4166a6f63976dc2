-- What the edits of the other file make of it.
SELECT id
FROM types
WHERE flag = true
  AND flag <> true
  AND flag IN (true, false)
  AND id = << id >>
