case "$1" in
  --fractalic-dump-schema) echo '{"description": "Gives rows.", "parameters": {"type": "object", "properties": {}}}' ;;
  *) echo '[{"day": "2024-01-01", "n": 1}, {"day": "2024-01-02", "n": 2}]' ;;
esac
