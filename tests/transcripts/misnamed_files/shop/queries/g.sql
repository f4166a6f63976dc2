/*--- { description: One. } ---*/ SELECT 7 AS one
