-- error: [invalid-query]
SELECT * FROM mixed
