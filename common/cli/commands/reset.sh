# shellcheck shell=bash
help() { echo "./course reset NAME: start an exercise again. Your file is kept next to it, as NAME.cu.old or NAME.py.old."; }

main() {
  local exercise file old number=1
  [[ $# -eq 1 ]] || die "$USAGE" "reset takes the name of one exercise, for example: ./course reset add-list/axpby"
  read_registry
  exercise=$(find_exercise "$(named "$1")") || unknown_name exercise "$1"
  file=exercises/$(file_of "$exercise")
  git cat-file -e "HEAD:$file" 2>/dev/null ||
    die "$MISSING" "reset takes $file from git, but this folder is not a clone of the course"
  if git diff --quiet HEAD -- "$file"; then
    echo "$file has not changed since its last commit. If you have committed your answer: git log -- $file"
    return
  fi
  old=$file.old
  while [[ -e $old ]]; do
    number=$((number + 1))
    old=$file.old$number
  done
  if [[ -e $file ]]; then
    mv "$file" "$old"
    echo "Your file is now $old."
  fi
  git show "HEAD:$file" >"$file"
}
