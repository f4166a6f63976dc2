/*--- { description: One. } ---*/ SELECT 9 AS one
