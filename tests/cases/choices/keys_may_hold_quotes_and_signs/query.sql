/*---
params:
  sort:
    choices:
      "newest first, then id": day DESC
      größte: quantity DESC
      it's dear: price DESC
      'say "cheap"': price
      a|b: note
      "😀": id DESC
      "<< x >>": id
---*/
SELECT id FROM orders WHERE id <= 5 ORDER BY << sort >>, id
