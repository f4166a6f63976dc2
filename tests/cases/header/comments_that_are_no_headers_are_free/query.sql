/*
 * Orders by status.
 * See https://example.com: all of them
 */
-- TODO: timeout: 30s is too short
-- params: the status
SELECT /*+ hint */ id -- name: of the order
FROM orders /* -- and so on -- */
/*---- the conditions ----*/
WHERE status = '/*---' OR status = '/* --- scopes: [admin] --- */' /* note: two texts */
/*--
AND total > 5
--*/
