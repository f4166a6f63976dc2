-- error: [invalid-query]
SELECT id FROM orders WHERE id LIKE << pattern >>
