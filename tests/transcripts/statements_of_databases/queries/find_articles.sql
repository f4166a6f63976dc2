/*---
description: Articles about some words, the best first.
source: press
params:
  words: { description: "Words, as SQLite's FTS5 takes them: `bread NOT sugar`." }
columns: { title: { type: text, description: The title. } }
---*/
SELECT rowid AS id, Title AS title FROM Articles WHERE Articles MATCH << words >> ORDER BY rank
