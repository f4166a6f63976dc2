/*---
description: Flights of the caller's airline in the last days.
params:
  airline: { from: claim.airline }
  region: { from: header.x-region }
  days: { description: How many days., minimum: 1 }
---*/
SELECT id, day, << region: text >> AS region
FROM flights
WHERE carrier = << airline >> AND day > current_date - << days: int >>
ORDER BY id
