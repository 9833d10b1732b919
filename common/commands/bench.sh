# shellcheck shell=bash
help() {
  cat <<'HELP'
./course bench [NAME]...: measure the lessons (add-list, 3; none: all that have figures), each figure
  beside its reference (a copy, CUB or cuBLAS), measured in the same run. The figures, with machine, date
  and revision, go to bench.json in the build folder too.
./course bench cpu: the CPU backend beside plain loops, in one run.
HELP
}

main() {
  local name lesson program device='' chosen=() programs=() libraries=() with_mpi=() failed=() bench launcher
  if [[ ${1:-} == cpu ]]; then
    COURSE_BACKEND=cpu
    prepare ON
    build bench-cpu
    exec "$builds/bin/tests/bench-cpu"
  fi
  for name; do
    lesson=$(find_lesson "$name") || unknown_name lesson "$name"
    [[ -n $(registry bench "$lesson") ]] || die "$USAGE" "lesson $lesson has no figures to measure"
    chosen+=("$lesson")
  done
  if [[ $# -eq 0 ]]; then chosen=("${lessons[@]}"); fi
  for lesson in "${chosen[@]}"; do
    read -r program _ <<<"$(registry bench "$lesson")"
    [[ -n $program ]] || continue
    programs+=("$program")
    if [[ " $(needs "$program") " == *" mpi "* ]]; then with_mpi+=("$program"); fi
  done
  read -ra libraries <<<"$(needs "${programs[@]}")"
  prepare ON "${libraries[@]}"
  build "${programs[@]}" figures
  bench=$PWD/$builds/bench
  rm -f "$bench.tsv"
  for program in "${programs[@]}"; do
    say "$program ..."
    launcher=()
    if [[ " ${with_mpi[*]} " == *" $program "* ]]; then # a rank for each GPU
      launcher=(common/ranks.sh "$({ devices || echo none; } | wc -l)")
    fi
    if ! COURSE_FIGURES=$bench.tsv "${launcher[@]}" "$builds/bin/$program" >"$bench.log"; then
      failed+=("$program")
      cat "$bench.log" >&2
    fi
    device=$(sed -n '/^device: /p' "$bench.log")
  done
  if [[ -s $bench.tsv ]]; then
    echo "$device"
    "$builds/bin/tools/figures" --backend "$backend" --device "${device#device: }" \
      --revision "$(git describe --always --dirty 2>/dev/null || echo unknown)" "$bench.tsv" "$bench.json"
    say "written: ${bench#"$PWD"/}.json"
  fi
  [[ ${#failed[@]} -eq 0 ]] || die 1 "these programs failed: ${failed[*]}"
}
