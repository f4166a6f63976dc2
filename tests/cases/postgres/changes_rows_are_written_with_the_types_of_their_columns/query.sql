/*---
description: Adds a note.
source: app
lints: { missing-description: allow }
---*/
INSERT INTO changes_rows_are_written_with_the_types_of_their_columns.notes (title, body, status, due, feels, price) VALUES (<< title >>, << body >>, << status >>, << due >>, << feels >>, << price >>)
RETURNING id, title, status, feels::text AS feels, price
