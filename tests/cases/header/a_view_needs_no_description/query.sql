/*--- { description: Every order. } ---*/
-- warning: [missing-description] for the view's parameter, which this tool publishes
SELECT id
FROM all_orders
-- warning: [missing-description]
WHERE id = << id >>
