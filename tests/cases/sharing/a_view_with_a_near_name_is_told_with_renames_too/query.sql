SELECT id
-- error: [unknown-table]
FROM chep(most => << top >>)
