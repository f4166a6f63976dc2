/*--- { description: One. } ---*/ SELECT 8 AS one
