/*---
description: The name of an airline.
params: { carrier: { description: Its code. } }
---*/
SELECT carrier, name, 1 AS number
FROM airlines
WHERE carrier = << carrier >>
