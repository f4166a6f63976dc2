/*---
params:
  sort:
    choices:
      größte zuerst: quantity DESC, id
      日本語: price
      "a, b: 'c'": day DESC
      " ": customer_id, id
      1: id
      true: id DESC
      select: status
    default: größte zuerst
---*/
SELECT id FROM orders WHERE id <= 4 ORDER BY << sort >>
