SELECT id
-- error: [unknown-parameter]
FROM cheap(price => << top >>)
