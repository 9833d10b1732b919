# shellcheck shell=bash
help() {
  cat <<'HELP'
./course bench [NAME]...: measure the lessons (add-list, 3; none: all that have figures), each figure
  beside its reference (a copy, CUB or cuBLAS), measured in the same run. Programs with MPI run on 1 rank, 2, and so
  on up to the number of GPUs. The figures, with machine, date and revision, go to bench.json in the build folder too.
./course bench --save: measure all lessons on this GPU. The figures go to lessons/figures, in a file that is named after the
  GPU, and from there into the tables of the pages.
./course bench cpu: the CPU backend compared with plain loops, in one run.
HELP
}

# measure TABLE COMMAND...: runs the program of a bench; its figures go to TABLE, those of more ranks than one with
# their number.
measure() {
  local said
  rm -f "$bench.rows"
  if ! COURSE_FIGURES=$bench.rows "${@:2}" >"$bench.log"; then
    failed+=("$program")
    cat "$bench.log" >&2
  fi
  said=$(sed -n '/^device: /p' "$bench.log")
  device=${said:-$device}
  [[ ! -e $bench.rows ]] || awk -F'\t' -v OFS='\t' -v ranks="${ranks:-1}" \
    'ranks > 1 { $2 = $2 ", " ranks " ranks" } { print }' "$bench.rows" >>"$1"
}

# write_figures: the table and $bench.json from $bench.tsv; ends the command where programs have failed.
write_figures() {
  if [[ -s $bench.tsv ]]; then
    echo "$device"
    "$builds/bin/tools/figures" "$bench.tsv" "$bench.json" "$backend" "${device#device: }" \
      "$(git describe --always --dirty 2>/dev/null || echo unknown)"
    say "written: ${bench#"$PWD"/}.json"
  fi
  [[ ${#failed[@]} -eq 0 ]] || die 1 "these programs failed: ${failed[*]}"
}

# bench_of LESSON: its program that reports figures; nothing where there is none.
bench_of() { if [[ -f lessons/$1/${1#*-}-versions.cu ]]; then echo "${1#*-}-versions"; fi; }

main() {
  local name lesson program save='' device='' chosen=() programs=() libraries=() with_mpi=() failed=() bench gpus ranks
  if [[ ${1:-} == cpu ]]; then
    COURSE_BACKEND=cpu
    prepare ON
    build bench-cpu
    exec "$builds/bin/tests/bench-cpu"
  fi
  if [[ ${1:-} == --save ]]; then
    save=yes
    shift
    [[ $# -eq 0 ]] || die "$USAGE" "bench --save measures all lessons: it takes no name"
    choose_backend
    [[ $backend == cuda ]] || die "$USAGE" "bench --save needs a GPU"
  fi
  require_toolchain && read_registry
  for name; do
    lesson=$(find_lesson "$name") || unknown_name lesson "$name"
    [[ -n $(bench_of "$lesson") ]] || die "$USAGE" "lesson $lesson has no figures to measure"
    chosen+=("$lesson")
  done
  if [[ $# -eq 0 ]]; then chosen=("${lessons[@]}"); fi
  for lesson in "${chosen[@]}"; do
    program=$(bench_of "$lesson")
    [[ -n $program ]] || continue
    programs+=("$program")
    if [[ " $(needs "$program") " == *" mpi "* ]]; then with_mpi+=("$program"); fi
  done
  read -ra libraries <<<"$(needs "${programs[@]}")"
  prepare ON "${libraries[@]}"
  build "${programs[@]}" figures
  bench=$PWD/$builds/bench
  rm -f "$bench.tsv"
  gpus=$({ devices || echo none; } | wc -l)
  for program in "${programs[@]}"; do
    if [[ " ${with_mpi[*]} " != *" $program "* ]]; then
      say "$program ..."
      measure "$bench.tsv" "$builds/bin/$program"
      continue
    fi
    for ((ranks = 1; ranks <= gpus; ranks++)); do
      say "$program, ranks: $ranks ..."
      measure "$bench.tsv" common/cli/ranks.sh "$ranks" "$builds/bin/$program"
    done
  done
  write_figures
  if [[ $save ]]; then
    name=${device#device: }
    name=lessons/figures/${name%%,*}.json
    mkdir -p lessons/figures
    cp "$bench.json" "${name// /-}"
    say "written: ${name// /-}; now the pages"
    tests/course/pages --write
  fi
}
