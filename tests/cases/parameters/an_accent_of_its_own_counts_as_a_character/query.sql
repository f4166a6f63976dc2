/*---
params: { letter: { max_length: 1 } }
---*/
SELECT << letter: text >> AS letter
