SELECT id
FROM types,
     -- error: [invalid-query]
     LATERAL UNNEST(amount)
