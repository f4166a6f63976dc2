/*---
params:
  sort:
    choices:
      newest: day DESC
      # error: [unknown-column]
      worst: "quantity, prize DESC"
      cheapest: price
  by: { choices: { status: status, note: note, month: "to_char(day, '%Y-%m')" } }
---*/
SELECT id, << by >> AS key FROM orders ORDER BY << sort >>, id
