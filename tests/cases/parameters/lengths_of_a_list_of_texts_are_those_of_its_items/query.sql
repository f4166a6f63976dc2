/*---
params: { words: { min_length: 2, max_length: 4, max_items: 2 } }
---*/
SELECT << words: text[] >> AS words
