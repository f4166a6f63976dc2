/*---
params: { word: { pattern: '^\p{L}+$' } }
---*/
SELECT << word: text >> AS word
