/*---
description: Gives notes of a title so many stars.
source: app
max_changes: 2
---*/
UPDATE Notes SET stars = << stars >> WHERE title = << title >>
