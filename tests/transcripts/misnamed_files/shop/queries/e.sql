/*--- { description: One. } ---*/ SELECT 5 AS one
