/*--- { description: One. } ---*/ SELECT 2 AS one
