# shellcheck shell=bash
help() {
  cat <<'HELP'
./course site [--teacher]: build the web site of the course from its pages, in build/site. Open build/site/index.html: it
needs no server. This site can be public: it has neither solutions nor known answers to exercises.
  --teacher  build a site that has both, in build/site-teacher
The first call downloads Sphinx into a virtual environment, build/site-python.
HELP
}

readonly site_python=build/site-python

make_site_python() {
  local requirements=common/pages/requirements.txt
  cmp -s "$requirements" "$site_python/requirements.txt" && return
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || die "$MISSING" "./course site needs Python 3.11 or newer"
  if ! python3 -c 'import ensurepip' 2>/dev/null; then install "the web site" python3-venv; fi
  say "Creating the virtual environment $site_python. pip downloads the packages in $requirements ..."
  rm -rf "$site_python"
  { python3 -m venv "$site_python" && "$site_python/bin/python" -m pip install --quiet --require-hashes -r "$requirements"; } >&2 ||
    die "$MISSING" "pip could not install the packages in $requirements. Its error message is above."
  cp "$requirements" "$site_python"
}

main() {
  local site=build/site sphinx changed options=()
  if [[ ${1-} == --teacher ]]; then site=build/site-teacher options=(-t teacher) && shift; fi
  no_arguments site "$@"
  export PYTHONDONTWRITEBYTECODE=1 # nothing in common/pages
  make_site_python
  changed=$(find . -path ./build -prune -o -path ./.git -prune -o -newer "$site/index.html" -print -quit 2>/dev/null) || changed=yes
  if [[ -n $changed ]]; then
    rm -rf "$site" build/site-print
    sphinx=("$site_python/bin/python" -m sphinx -q -W --keep-going -j auto -c common/pages -d build/site-doctrees "${options[@]}")
    "${sphinx[@]}" -E . "$site"
    "${sphinx[@]}" -b singlehtml . build/site-print
    # Headings of two pages may have the same anchor, so links lead to the page; known answers are not in here.
    sed -E 's/(href="#document-[^"#]+)#[^"]*"/\1"/g; s/"#document-README"/"#"/g; s/"#document-(tests\/[^"]*\/answers)/"\1.html/g' build/site-print/README.html >"$site/print.html"
    cp "$site/README.html" "$site/index.html"
  fi
  echo "$PWD/$site/index.html"
}
