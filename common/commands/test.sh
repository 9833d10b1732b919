# shellcheck shell=bash
help() {
  cat <<'HELP'
./course test [--all]: every test of the course itself, for those who change it.
  --all  also installs a Slurm for the tests of the batch scripts (CI=true does, too)
To test your own work: ./course check NAME
HELP
}

# require_slurm: the packages of the practice cluster (tests/jobs/lab).
require_slurm() {
  local package packages=()
  for package in slurmctld slurmd slurm-client munge lmod openmpi-bin; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || packages+=("$package")
  done
  if [[ ${#packages[@]} -gt 0 ]]; then install "the practice cluster" "${packages[@]}"; fi
}

# want_pictures: stb_image_write, with which lessons draw, and img2webp, which makes an animation of the frames. Where one
# is not to be had they do without.
want_pictures() {
  local package packages=()
  may_install || return 0
  [[ -e /usr/include/stb/stb_image_write.h ]] || packages+=(libstb-dev)
  have img2webp || packages+=(webp)
  for package in "${packages[@]}"; do
    if [[ -n $(candidate "$package") ]]; then install "drawing pictures" "$package"; fi
  done
}

main() {
  local all=${CI:-false} lesson bench benches=() libraries=() missing
  if [[ ${1:-} == --all ]]; then
    all=true
    shift
  fi
  [[ $# -eq 0 ]] || die "$USAGE" "to test your work: ./course check $1" \
    "  (./course test, without a name, runs the tests of the course itself)"
  if [[ $all == true ]] && may_install; then require_slurm; fi
  for lesson in "${lessons[@]}"; do
    read -r bench _ <<<"$(registry bench "$lesson")"
    benches+=(${bench:+"$bench"})
  done
  read -ra libraries <<<"$(needs "${lessons[@]}" "${benches[@]}" "${exercises[@]}")"
  if may_install; then
    prepare ON "${libraries[@]}"
  else
    make_python || true # of what this machine has
    prepare ON
  fi
  missing=$(missing_libraries "${libraries[@]}" | xargs) || true # none is missing
  if [[ -n $missing ]]; then say "Left out: what needs $missing, which this machine lacks (./course doctor)"; fi
  want_pictures
  build all
  # One more than there are processors: some tests wait, for Slurm or for a time limit.
  ctest --test-dir "$builds" -j $(($(nproc) + 1)) --output-on-failure --progress
}
