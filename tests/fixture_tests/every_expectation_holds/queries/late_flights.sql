/*---
description: Flights that arrived late, worst first.
params:
  carrier: { description: Carrier code., min_length: 2, max_length: 2 }
  min_delay: { description: Minutes., minimum: 0 }
  status: { description: Which., allowed_values: [all, tagged] }
  order:
    description: How rows are ordered.
    choices: { delay: arr_delay DESC, fare: fare DESC }
    default: delay
tests:
  - name: an unknown carrier has no flights
    arguments: { carrier: ZZ, min_delay: 0 }
    fixtures:
      flights: [{ id: 1, carrier: AA, arr_delay: 100 }]
      airlines: []
    expect: { rows: [], count: 0 }
---*/
SELECT f.id, a.name AS airline, f.day, f.dep_time, f.arr_delay, f.fare, f.tags
FROM flights AS f LEFT JOIN airlines AS a ON a.carrier = f.carrier
WHERE f.arr_delay >= << min_delay >>
  AND (<< status = 'all' >> = 'all' OR cardinality(f.tags) > 0)
  [[ AND f.carrier = << carrier >> ]]
ORDER BY << order >>, f.id
