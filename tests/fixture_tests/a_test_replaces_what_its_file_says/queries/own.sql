/*---
description: Flights of the caller's airline.
params: { carrier: { from: claim.org.carrier }, region: { from: header.x-region } }
---*/
SELECT f.id, a.name, << region: text >> AS region
FROM flights AS f JOIN airlines AS a ON a.carrier = f.carrier
WHERE f.carrier = << carrier >>
ORDER BY f.id
