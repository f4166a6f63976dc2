/*---
params: { city: { allowed_values: [Köln, Zürich, New York] } }
---*/
SELECT << city: text >> AS city
