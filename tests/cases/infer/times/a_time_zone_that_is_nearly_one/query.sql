/*--- { description: A time. } ---*/
-- error: [cannot-run]
SELECT TIMESTAMPTZ '2024-01-01T00:00:00Z' AT TIME ZONE 'Europe/Berln' AS there
