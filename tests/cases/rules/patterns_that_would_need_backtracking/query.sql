/*---
params:
  a:
    # error: [invalid-constraint]
    pattern: '(a)\1'
  b:
    # error: [invalid-constraint]
    pattern: "(?<=a)b"
  c:
    # error: [invalid-constraint]
    pattern: "^(?!lost)"
---*/
SELECT id FROM orders WHERE status = << a >> AND status = << b >> AND status = << c >>
