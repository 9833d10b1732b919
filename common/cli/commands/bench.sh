# shellcheck shell=bash
help() {
  cat <<'HELP'
./course bench [NAME]...: measure lessons (add-list, 3). Without a name: all lessons that have a benchmark.
  Each result is compared with its reference (a copy, CUB or cuBLAS), which is measured in the same run. MPI programs
  run on 1 rank, 2 ranks, and so on, up to the number of GPUs. The results are also written to bench.json in the build
  folder, with the machine, the date and the git revision.
./course bench --save: measure all lessons on this GPU, save the results in lessons/figures, in a file named after the
  GPU, and update the tables in the lessons' pages.
./course bench cpu: compare the CPU backend with plain loops.
HELP
}

# measure COMMAND...: runs the program of a bench on $ranks ranks. It writes its results to a file of its own.
measure() {
  local said log=$bench/$program-$ranks.log
  if [[ $ranks -gt 1 ]]; then say "$program, ranks: $ranks ..."; else say "$program ..."; fi
  if ! COURSE_FIGURES=$bench/$program-$ranks.jsonl "$@" >"$log"; then
    failed+=("$program")
    cat "$log" >&2
  fi
  said=$(sed -n 's/^device: //p' "$log")
  device=${said:-$device}
  if [[ -e $bench/$program-$ranks.jsonl ]]; then results+=("$bench/$program-$ranks.jsonl"); fi
}

# bench_of LESSON: the lesson's program that reports results, if it has one.
bench_of() { if [[ -f lessons/$1/${1#*-}-versions.cu ]]; then echo "${1#*-}-versions"; fi; }

main() {
  local name lesson program save='' device='' chosen=() programs=() libraries=() results=() failed=() bench gpus ranks
  if [[ ${1:-} == cpu ]]; then
    COURSE_BACKEND=cpu
    prepare commit
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
  have python3 || die "$MISSING" "bench needs python3 (3.6 or newer), which writes the tables of results"
  require_toolchain && read_registry
  for name; do
    lesson=$(find_lesson "$name") || unknown_name lesson "$name"
    [[ -n $(bench_of "$lesson") ]] || die "$USAGE" "lesson $lesson has no benchmark"
    chosen+=("$lesson")
  done
  if [[ $# -eq 0 ]]; then chosen=("${lessons[@]}"); fi
  for lesson in "${chosen[@]}"; do
    program=$(bench_of "$lesson")
    [[ -z $program ]] || programs+=("$program")
  done
  read -ra libraries <<<"$(needs "${programs[@]}")"
  prepare none "${libraries[@]}"
  build "${programs[@]}"
  bench=$PWD/$builds/bench
  rm -rf "$bench" && mkdir "$bench"
  gpus=$({ devices || echo none; } | wc -l)
  for program in "${programs[@]}"; do
    if [[ " $(needs "$program") " != *" mpi "* ]]; then
      ranks=1 measure "$builds/bin/$program"
      continue
    fi
    for ((ranks = 1; ranks <= gpus; ranks++)); do
      measure common/cli/ranks.sh "$ranks" "$builds/bin/$program"
    done
  done
  if [[ ${#results[@]} -gt 0 ]]; then
    echo "device: $device"
    common/pages/figures.py "$bench.json" "$backend" "$device" "$(git describe --always --dirty 2>/dev/null || echo unknown)" "${results[@]}"
    say "wrote ${bench#"$PWD"/}.json"
  fi
  [[ ${#failed[@]} -eq 0 ]] || die 1 "these programs failed: ${failed[*]}"
  if [[ $save ]]; then
    name=lessons/figures/${device%%,*}.json
    cp "$bench.json" "${name// /-}"
    say "wrote ${name// /-}"
    common/pages/write
  fi
}
