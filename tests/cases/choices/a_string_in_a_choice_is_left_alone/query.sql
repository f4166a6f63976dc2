/*---
lints: { quoted-placeholder: allow }
params:
  label:
    choices:
      guillemets: "'<< ' || status || ' >>'"
      placeholder: "'<< by >>'"
      brackets: "'[[ AND (' || status"
      list: "'a, b DESC, ' || status"
      quoted: "'it''s ' || status || ' -- DESC'"
---*/
SELECT << label >> || '!' AS label FROM orders WHERE id = 1
