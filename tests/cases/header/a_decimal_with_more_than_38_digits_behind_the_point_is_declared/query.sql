SELECT rounded.w, floating.w AS f FROM rounded JOIN floating USING (id)
