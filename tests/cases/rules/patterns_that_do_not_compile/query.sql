/*---
params:
  a:
    # error: [invalid-constraint]
    pattern: "("
  b:
    # error: [invalid-constraint]
    pattern: "[a-"
  c:
    # error: [invalid-constraint]
    pattern: "{1,2,3}"
  d:
    # error: [invalid-constraint]
    pattern: "a{2,1}"
  e:
    # error: [invalid-constraint]
    pattern: "*"
---*/
SELECT id
FROM orders
WHERE status = << a >> AND status = << b >> AND status = << c >> AND status = << d >> AND status = << e >>
