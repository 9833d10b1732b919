# shellcheck shell=bash disable=SC2154 # folder, of course
# shellcheck source=common/cli/progress.sh
source common/cli/progress.sh

help() {
  cat <<'HELP'
./course handout FOLDER: write the course for learners into FOLDER. The handout is the last commit without solutions and
answers, without the tests of ./course and of the grader, and without the git history.
The same command updates FOLDER later. It overwrites and deletes only unchanged files that it wrote itself: an edited exercise
stays as it is.
HELP
}

# Paths that contain answers or attacks on the grader, tests that need the solutions, and what a forge would run.
readonly left_out=(solutions 'tests/*/*/answers*' tests/{course,grader,jobs,sanitizer,site,systems} .ci .github)

# refuse_answers FOLDER: ends the command if an exercise there has an answer.
refuse_answers() {
  local exercise begun
  begun=$(cd "$1" && for exercise in "${exercises[@]}"; do
    is_untouched "$exercise" || echo "  exercises/$(file_of "$exercise")"
  done)
  [[ -z $begun ]] || die 1 "the last commit has answers in these exercises (or tests/starters.txt is out of date):" "$begun"
}

# remove_links FOLDER: in its pages, a link to a file that only the course has becomes plain text.
remove_links() {
  local page target
  while IFS=: read -r page target; do
    target=${target:2:-1}
    if [[ -e ${page%/*}/${target%%#*} && ! -e $1/${page%/*}/${target%%#*} ]]; then
      sed -E -i "s~\[((\`[^\`]*\`|[^][\`])+)\]\(${target//./\\.}\)~\1~g" "$1/$page"
    fi
  done < <(cd "$1" && grep -roE '\]\([^)]+\)' --include='*.md' . | sort -u)
}

# hashes_of FOLDER: "HASH  FILE" for each file of standard input that FOLDER has.
hashes_of() { env -C "$1" xargs -rd '\n' sha256sum 2>/dev/null || true; }

# read_hashes ARRAY: sets ARRAY[FILE]=HASH from standard input.
read_hashes() {
  local -n hashes=$1
  local hash file
  while read -r hash file; do hashes["$file"]=$hash; done
}

# update FOLDER NEW: FOLDER gets the files of the folder NEW, except where it has a file that was edited or that this command
# did not write. FOLDER/.handout has the hash of each file that this command wrote.
update() {
  local to=$1 file changed=() kept=() removed=()
  declare -A old=() now=() new=()
  mkdir -p "$to" && touch "$to/.handout"
  read_hashes old <"$to/.handout"
  read_hashes new < <(cd "$2" && find . -type f -printf '%P\n' | hashes_of .)
  read_hashes now < <(printf '%s\n' "${!old[@]}" "${!new[@]}" | sort -u | hashes_of "$to")
  for file in "${!new[@]}"; do
    if [[ ${now[$file]-} == "${new[$file]}" ]]; then
      continue
    elif [[ ! -e $to/$file || ${now[$file]-none} == "${old[$file]-}" ]]; then
      changed+=("$file")
    else
      kept+=("$file")
      new[$file]=${old[$file]-} # still edited when this command is called again
    fi
  done
  for file in "${!old[@]}"; do
    if [[ -z ${new[$file]-} && ${now[$file]-} == "${old[$file]}" ]]; then removed+=("$file"); fi
  done
  # Only changed files, with the present time, so that a later build compiles neither everything nor too little. Each is recorded
  # at once, so an interrupted update goes on with the next call.
  for file in "${changed[@]}"; do
    (cd "$2" && cp --remove-destination --parents "$file" "$to")
    echo "${new[$file]}  $file" >>"$to/.handout"
  done
  for file in "${removed[@]}"; do
    rm "$to/$file"
    if [[ $file == */* ]]; then env -C "$to" rmdir -p --ignore-fail-on-non-empty "${file%/*}"; fi
  done
  for file in "${!new[@]}"; do
    if [[ -n ${new[$file]} ]]; then echo "${new[$file]}  $file"; fi
  done | sort -k 2 >"$to/.handout"
  echo "$to: ${#changed[@]} files written, ${#removed[@]} removed"
  [[ -e $to/.git ]] || say "Learners need it as a git repository, for updates and ./course reset: see lessons/README.md"
  if [[ ${#kept[@]} -gt 0 ]]; then printf 'not updated, because it was edited there: %s\n' "${kept[@]}"; fi
}

main() {
  local to new
  [[ $# -eq 1 && $1 != -* ]] || die "$USAGE" "handout takes one folder, for example: ./course handout ../cuda-handout"
  git cat-file -e HEAD 2>/dev/null || die "$MISSING" "handout takes the files from git, but this folder is not a clone of the course"
  to=$(cd "$folder" && realpath -m -- "$1")
  [[ $to/ != "$PWD"/* ]] || die "$USAGE" "$to is inside the course: choose a folder outside it"
  [[ -f $to/.handout || -z $(ls -A --ignore=.git "$to" 2>/dev/null) ]] ||
    die "$USAGE" "$to is not empty, and not a handout: choose a new folder"
  [[ -z $(find "$to" -xtype d -type l 2>/dev/null) ]] || die 1 "$to has links to other folders, into which handout does not write"
  git diff --quiet HEAD || say "Changes that are not committed are not in the handout (git status lists them)."
  read_registry
  temporary=$(mktemp -d)
  trap 'rm -rf "$temporary"' EXIT
  new=$temporary/new
  mkdir "$new"
  git archive HEAD -- . "${left_out[@]/#/:!}" | tar -xC "$new"
  refuse_answers "$new"
  remove_links "$new"
  update "$to" "$new"
}
