/*--- { description: One. } ---*/ SELECT 11 AS one
