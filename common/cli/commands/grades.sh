# shellcheck shell=bash
help() {
  cat <<'HELP'
./course grades [OPTION]... FOLDER...: show the grades of a class, from the files check-*.result of a job array
(jobs/README.md). A learner has the name of the checked file, or of its folder if the file has the exercise's name.
  --format F         print the table as text, csv or html
  --exercise E       use only the results of this exercise
  --canvas FILE      also write the grades into a copy of this Canvas grade export (FILE.csv: FILE.graded.csv)
  --moodle FILE      the same for a grading worksheet or grade export of Moodle
  --column NAME      the column of the export that gets the grades: needed for Canvas; for Moodle the default is Grade
  --identifier NAME  Moodle: the column that identifies a learner, if Moodle is not in English
  --maximum NAME     Moodle: the column with the maximum grade, or this number, if there is no column "Maximum grade"
Learners are found by login, e-mail address or ID, also in the names of a bulk download. All points are worth the maximum
grade of the column. No other byte of the export changes. A learner keeps the old grade if a result is an error or missing,
or if the grade is EX (excused) or N/A (not assigned). Every grade that is kept or overwritten is listed. The file is read
again and compared with the results before it gets its name.
Exit code: 0 success; 1 a result, a learner or the export is wrong or not understood: all problems are listed, and nothing
is written.
HELP
}

main() {
  have python3 || die "$MISSING" "grades needs python3 (3.6 or newer): on a cluster: module load Python"
  cd "$folder"
  exec python3 "$OLDPWD/common/grader/commands/grades.py" "$@"
}
