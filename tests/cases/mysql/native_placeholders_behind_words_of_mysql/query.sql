/*---
source: shop
columns: { whole: { type: bigint }, rest: { type: bigint }, either: { type: bigint } }
---*/
SELECT DISTINCTROW << word: text >> AS word, id, name = BINARY << word >> AS is_same, 17 DIV << by: bigint >> AS whole,
  17 MOD << by >> AS rest, (id = 1) XOR << by >> AS either, name LIKE BINARY << pattern: text >> AS is_like,
  JSON_VALUE(note, << path: text >>) AS noted, DATE '2024-01-31' + INTERVAL << by >> DAY AS later
FROM native_placeholders_behind_words_of_mysql.t
WHERE name LIKE << pattern >> ESCAPE << sign: text >> OR name REGEXP << word >> OR name SOUNDS LIKE << word >>
ORDER BY id LIMIT 9
