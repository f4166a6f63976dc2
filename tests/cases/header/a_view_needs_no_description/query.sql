/*--- { description: Every order. } ---*/
SELECT id
FROM all_orders
-- warning: [missing-description]
WHERE id = << id >>
