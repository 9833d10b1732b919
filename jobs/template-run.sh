# Built here, where the GPU is: a login node may have another processor. Nothing is downloaded.
# Configured once, and again while a library is missing that a module may bring.
if [ ! -f "build/$backend/build.ninja" ] || grep -q '^COURSE_MISSING:INTERNAL=.' "build/$backend/CMakeCache.txt"; then
  cmake --preset "$backend"
fi
cmake --build --preset "$backend" --target {lesson}

# "$@": what you add after the script's name.
{launcher} "build/$backend/bin/{lesson}" {arguments} "$@"
