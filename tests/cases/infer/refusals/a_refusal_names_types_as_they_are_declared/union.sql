-- error: [invalid-query]
SELECT amount FROM types UNION SELECT tags FROM items
