/*---
description: The name of an airline.
# warning: [missing-auth]
scopes: [secret]
params: { carrier: { description: Its code. } }
---*/
SELECT name
FROM airlines
WHERE carrier = << carrier >>
