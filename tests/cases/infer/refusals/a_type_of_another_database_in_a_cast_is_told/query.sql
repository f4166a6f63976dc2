-- error: [invalid-query]
SELECT id, amount::money AS price FROM types
