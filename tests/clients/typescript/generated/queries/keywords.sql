/*---
description: Echoes what is sent.
params:
  from: { description: "Ends \u002a/ here, and \"\"\" there; a \\ at the end \\" }
  self: { examples: [me] }
---*/
SELECT
  << from: text >> AS "from",
  << in: text = 'there' >> AS "in",
  << self: text = 'none' >> AS self,
  << arguments: int[] = [1, 2] >> AS arguments,
  << constructor: boolean = false >> AS "constructor"
