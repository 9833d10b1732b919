# shellcheck shell=bash
help() {
  cat <<'HELP'
./course submit CENTRE LESSON -A ACCOUNT [--wait] [SBATCH-OPTION]... [-- ARGUMENT...]: sbatch jobs/CENTRE/LESSON.sh
  for example  ./course submit hpc2n add-list -A hpc2n2026-001 -- 1000003
  -A      the project that pays; export SBATCH_ACCOUNT=... says it for all jobs
  --      what follows goes to the program
  --wait  follow the job, and show its output when it has ended
HELP
}

main() {
  local lesson
  if lesson=$(find_lesson "${2-}"); then set -- "$1" "${lesson#*-}" "${@:3}"; fi
  cd "$folder" # an answer's path is seen from there
  exec "$OLDPWD/jobs/submit" "$@"
}
