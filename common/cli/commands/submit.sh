# shellcheck shell=bash
help() {
  cat <<'HELP'
./course submit CENTRE LESSON -A ACCOUNT [--wait] [SBATCH-OPTION]... [-- ARGUMENT...]: submit jobs/CENTRE/LESSON.sh
  Example: ./course submit hpc2n add-list -A hpc2n2026-001 -- 1000003
  -A      the account (project) that is charged. To set it for all jobs: export SBATCH_ACCOUNT=NAME
  --      everything after it is passed to the program
  --wait  wait until the job has ended, then print its output
HELP
}

main() {
  local lesson
  if lesson=$(find_lesson "${2-}"); then set -- "$1" "${lesson#*-}" "${@:3}"; fi
  cd "$folder" # an answer's path is seen from there
  exec "$OLDPWD/jobs/submit" "$@"
}
