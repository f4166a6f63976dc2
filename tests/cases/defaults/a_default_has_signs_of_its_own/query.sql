/*---
params:
  four: { default: { sql: 1 << 2 } }
  one: { default: { sql: 4 >> 2 } }
---*/
SELECT << yes = 5 >= 3 >> AS yes, << words = 'a >> b' || ' << c' >> AS words, << two = (8 >> 2) >> AS two,
  << four >> AS four, << one >> AS one, << item = ARRAY[1, 2, 3][1 + 1] >> AS item
