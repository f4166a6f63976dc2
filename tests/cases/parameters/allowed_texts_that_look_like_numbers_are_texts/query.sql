/*---
params: { word: { allowed_values: ["1", "true", "null"] } }
---*/
SELECT << word: text >> AS word
