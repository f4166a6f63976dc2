-- What the edits make of them.
SELECT id, current_timestamp AS at, length(note) AS length, now() AS today, ifnull(note, 'none') AS note
FROM orders
