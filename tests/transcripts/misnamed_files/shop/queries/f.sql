/*--- { description: One. } ---*/ SELECT 6 AS one
