# The Python of the course: build/python, a virtual environment; sourced.
# shellcheck shell=bash disable=SC2154 # variables of backend.sh

# has_modules PYTHON...: whether extensions can be compiled for it, and it imports what the programs do.
has_modules() {
  "$@" - 2>/dev/null <<'CODE'
import os, sys, sysconfig
import numpy, pybind11
sys.exit(not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))
CODE
}

# course_python: the Python of the virtual environment; false where there is none. It finds its modules by itself, also in
# the grader's worker, which has neither a home nor PYTHONPATH.
course_python() {
  local folder=build/python
  [[ $processor == x86_64 ]] || folder+=-$processor # as libraries.cmake looks for it
  echo "$folder/bin/python"
  has_modules env -i ${LD_LIBRARY_PATH+"LD_LIBRARY_PATH=$LD_LIBRARY_PATH"} "$folder/bin/python"
}

# make_python: makes the virtual environment, from the first Python here that has the modules: python3 of a cluster's
# modules or of conda, or the distribution's. Where none has them and the distribution's packages are not ours to
# install, pip downloads them, but not inside a job. False where it is not made.
make_python() {
  local python folder
  folder=$(course_python) && return
  folder=${folder%/bin/python}
  rm -rf "$folder"
  for python in "$(type -p python3)" /usr/bin/python3; do
    if has_modules "$python"; then
      say "Creating the virtual environment $folder with $python ..."
      "$python" -m venv --system-site-packages "$folder" >&2
      # That line leaves out what $python finds by PYTHONPATH or in a home, and where it is of a virtual environment itself,
      # all that is installed there.
      "$python" -c 'import sys; print(*filter(None, sys.path), sep="\n")' \
        >"$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/outer.pth"
      return
    fi
  done
  if may_install || ! have python3 || [[ -n ${SLURM_JOB_ID:-} ]]; then return 1; fi
  say "Creating the virtual environment $folder. pip downloads the packages in common/cli/requirements.txt ..."
  python3 -m venv "$folder" >&2 && "$folder/bin/python" -m pip install --quiet -r common/cli/requirements.txt >&2 &&
    has_modules "$folder/bin/python"
}
