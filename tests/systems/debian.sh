# A plain Debian as a folder (chroot), since no container tool runs without privileges; sourced, from the course's root.
# debian RELEASE WHAT [PACKAGES]: makes it in $machine, which goes with this script; $work is beside it. Where there can be
# none, says that WHAT is left out, and ends with exit code 77.
# shellcheck shell=bash
debian() {
  left_out() { echo "left out: $2, since $1" && exit 77; }
  [[ $EUID -eq 0 ]] || left_out "chroot needs root" "$2"
  command -v debootstrap >/dev/null || left_out "debootstrap is not installed" "$2"
  git ls-files >/dev/null 2>&1 || left_out "this folder is not a git repository" "$2"
  work=$(mktemp -d)
  chmod 755 "$work" # graded programs have no rights of root, not even here
  machine=$work/debian
  trap 'umount -q "$machine/proc" "$machine/dev/pts" || true; rm -rf --one-file-system "$work"' EXIT
  debootstrap --variant=minbase ${3:+--include="$3"} "$1" "$machine" >"$work/log" 2>&1 ||
    left_out "debootstrap failed: $(tail -n 1 "$work/log")" "$2"
  if ! mount -t proc proc "$machine/proc" || ! mount -t devpts -o newinstance,ptmxmode=0666 devpts "$machine/dev/pts"; then
    left_out "no file system can be mounted" "$2"
  fi
  echo force-unsafe-io >"$machine/etc/dpkg/dpkg.cfg.d/quick" # as in container images
  echo "127.0.0.1 localhost $(hostname)" >"$machine/etc/hosts" # MPI asks for it
  mkdir "$machine/course"
  git ls-files -z --cached --others --exclude-standard | tar -c --null -T - | tar -x -C "$machine/course"
}
