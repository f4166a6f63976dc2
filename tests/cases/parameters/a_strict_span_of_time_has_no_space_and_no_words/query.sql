/*--- { strict: true } ---*/
SELECT CAST(DATE '2024-01-31' + << span: interval >> AS date) AS day
