sleep 0.6
ls "$(dirname "$0")" | grep -c -e imported -e "^run$"
ls | grep -c -e imported -e "^run$"
echo slept
