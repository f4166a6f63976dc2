SELECT id FROM orders WHERE status IN (<< a >>, << b >>, 'open') AND id IN (<< c >>)
