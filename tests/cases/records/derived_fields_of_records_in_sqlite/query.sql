/*---
description: The name of an airline.
---*/
SELECT carrier, name
FROM airlines
WHERE carrier = << carrier >>
