SELECT DISTINCT ON (span) span, id FROM rows ORDER BY span, id DESC
