/*---
description: An airline by its code.
params:
  carrier: { description: Carrier code. }
---*/
SELECT nam FROM airlines WHERE carrier = << carrier >>
