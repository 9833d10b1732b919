# shellcheck shell=bash
# Reads jobs/centres.conf and lessons.conf; sourced by render, lint and submit.

conf=$(dirname "${BASH_SOURCE[0]}")/centres.conf

# The centres of the table, a line each.
centres() { sed -n 's/^\[\(.*\)\]$/\1/p' "$conf"; }

# fact CENTRE NAME: the value without its source; nothing when the table does not have it.
fact() { sed -n "/^\[$1\]\$/,/^\$/ s/^$2  *= \(.*[^ ]\)  *#.*/\1/p" "$conf"; }

# job_lessons: the line in lessons.conf of check, profile and each lesson that has scripts, its own or the default.
job_lessons() {
  local folder=${conf%/*} lesson line
  for lesson in check profile "$folder"/../lessons/[0-9]*/; do
    lesson=$(basename "$lesson")
    lesson=${lesson#[0-9][0-9]-}
    line=$(grep "^$lesson " "$folder/lessons.conf" || sed -n "s/^default /$lesson /p" "$folder/lessons.conf")
    [[ $line =~ \ none$ ]] || echo "$line"
  done
}

# this_centre: the centre that this machine belongs to, by the names of the host and of its Slurm cluster.
this_centre() {
  local centre name here
  here=$(hostname -f 2>/dev/null || hostname)
  here+=" $(scontrol show config 2>/dev/null | sed -n 's/^ClusterName *= //p')"
  for centre in $(centres); do
    for name in $centre $(fact "$centre" names); do
      if [[ ${here,,} == *"$name"* ]]; then echo "$centre" && return; fi
    done
  done
  return 1
}
