/*---
description: Adds a note.
source: app
lints: { missing-description: allow }
---*/
INSERT INTO changes_rows_are_written_with_the_types_of_their_columns.notes (title, body, status, due, feels, price) VALUES (<< title >>, << body >>, << status >>, << due >>, << feels >>, << price >>);
SELECT id, title, status, feels, price FROM changes_rows_are_written_with_the_types_of_their_columns.notes WHERE id = last_insert_id()
