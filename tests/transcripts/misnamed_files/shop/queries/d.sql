/*--- { description: One. } ---*/ SELECT 4 AS one
