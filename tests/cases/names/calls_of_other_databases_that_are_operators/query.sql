SELECT id,
       -- error: [unknown-function]
       isnull(note) AS without_note,
       -- error: [unknown-function]
       10 * mod(quantity + 1, << by >>) AS rest,
       -- error: [unknown-function]
       mod(id, 2) AS odd
FROM orders
-- error: [unknown-function]
WHERE NOT isnull(lower(note))
