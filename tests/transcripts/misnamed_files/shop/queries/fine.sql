/*--- { description: One. } ---*/ SELECT 0 AS one
