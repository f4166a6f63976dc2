-- What the edits make of them.
SELECT id, current_timestamp AS at, length(note) AS length, now() AS today, coalesce(note, 'none') AS note
FROM orders
