-- What the edits make of them.
SELECT id FROM orders WHERE quantity > 0 [[ AND customer_id = << customer >> ]]
UNION ALL SELECT id FROM orders WHERE false [[ OR customer_id = << customer >> ]]
UNION ALL SELECT id FROM orders WHERE quantity > 0 [[ AND customer_id IN << customers >> ]] OR note = 'x'
UNION ALL SELECT id FROM orders WHERE true [[ AND customer_id = << customer >> ]]
