/*---
title: Watch a flight
description: Puts a flight number on the watch list, or says anew why it is there.
tags: [watch list]
source: desk
params:
  carrier: { description: Two-character carrier code., allowed_values: { query: SELECT carrier FROM airlines } }
  flight: { description: Flight number without the carrier code., minimum: 1, maximum: 9999 }
  reason: { description: Why it is watched. }
  note: { description: More about that in a sentence., max_length: 200 }
expose: [dry_run, table_format]
---*/
INSERT INTO watched (carrier, flight, reason, note)
VALUES (<< carrier >>, << flight >>, << reason >>, << note >>)
ON CONFLICT (carrier, flight) DO UPDATE SET reason = excluded.reason, note = excluded.note
RETURNING carrier, flight, reason, note
