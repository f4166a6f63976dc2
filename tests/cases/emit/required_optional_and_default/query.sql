SELECT id
FROM orders
WHERE status = << needed >>
  AND quantity >= << with_default = 1 >>
  AND note = << with_question_mark? >>
  [[ AND price > << in_a_clause >> ]]
