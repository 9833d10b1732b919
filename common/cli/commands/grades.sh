# shellcheck shell=bash
help() {
  cat <<'HELP'
./course grades [OPTION]... FOLDER...: show the grades of a class, from the files check-*.result of a job array
(jobs/README.md). A learner has the name of the checked file, or of its folder if the file has the exercise's name.
  --format F     print the table as text, csv or html
  --canvas FILE  also write the points into a copy of this Canvas grade export (FILE.csv: FILE.graded.csv)
  --moodle FILE  the same for Moodle. Learners are found by login, e-mail address or ID, also in names of bulk downloads
  --column NAME  the column of the export that gets the sum of the points (default: Grade)
No other byte of the export changes. A learner keeps the old grade if a result is an error.
Exit code: 0 success; 1 a result, a learner or the export is wrong: all problems are listed, and nothing is written.
HELP
}

main() {
  prepare ON
  build grades
  cd "$folder"
  exec "$OLDPWD/$builds/bin/grader/grades" "$@"
}
