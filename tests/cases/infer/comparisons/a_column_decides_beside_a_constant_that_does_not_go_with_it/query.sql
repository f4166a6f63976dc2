SELECT id
FROM types
-- error: [invalid-query]
WHERE label BETWEEN << from_label >> AND DATE '2024-01-01'
