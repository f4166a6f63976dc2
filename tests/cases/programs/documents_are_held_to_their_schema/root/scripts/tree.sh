case "$1" in
right) echo '{"name": "a", "below": [{"name": "b", "below": []}]}' ;;
wrong) echo '{"name": "a", "below": [{"name": 7}]}' ;;
null) echo null ;;
list) echo '[]' ;;
text) echo 'no document' ;;
esac
