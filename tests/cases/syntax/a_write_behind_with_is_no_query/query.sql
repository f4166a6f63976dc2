WITH new AS (SELECT 1 AS id) INSERT INTO orders SELECT id FROM new -- error: [not-a-query]
