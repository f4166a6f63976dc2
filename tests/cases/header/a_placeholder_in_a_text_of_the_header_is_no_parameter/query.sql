/*---
params:
  word:
    # error: [quoted-placeholder]
    choices: { marked: "note LIKE '%<< other >>%'", any: "true" }
  status: { description: The state. }
rules:
  # error: [quoted-placeholder]
  - { check: "<< status >> <> '<< forbidden >>'", message: This state is not listed. }
---*/
SELECT id FROM orders WHERE << word >> AND status = << status >>
