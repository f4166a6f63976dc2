/*---
source: shop
---*/
SELECT id FROM native_the_value_that_the_server_cannot_read_is_told.t
WHERE doc @> << part: text >>::jsonb AND box = << box >> AND port IN << ports >> AND day < << day: text >> AND few <= << few >> ORDER BY id
