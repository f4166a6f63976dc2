SELECT id
-- error: [reserved-name]
FROM cheap(most => << limit >>)
