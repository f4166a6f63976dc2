/*--- { description: One. } ---*/ SELECT 3 AS one
