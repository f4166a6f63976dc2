/*---
description: Authors by their numbers.
source: press
result_limit: 2
params:
  before: { description: Born before that day. }
  after: { description: Born after it. }
---*/
SELECT AuthorId, Name, Born -- a comment
FROM Authors
WHERE TRUE
  [[ AND Born < << before: date >> ]] [[ AND Born > << after: date >> ]]
ORDER BY AuthorId
