/*---
lints: { quoted-placeholder: allow }
params:
  word:
    choices:
      marks: CASE WHEN note LIKE '%<< x >>%' THEN 'yes' ELSE '<< y >>' END
      comment: "'-- no comment'"
      opened: "'/* no comment'"
      quoted: "'it''s'"
      dollar: "$$<< z >>$$"
---*/
SELECT id, << word >> AS word FROM orders WHERE id = 14 AND << word >> <> << other >>
