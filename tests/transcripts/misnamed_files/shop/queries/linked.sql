/*--- { description: One. } ---*/ SELECT 10 AS one
