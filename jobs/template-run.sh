# Built here, where the GPU is: a login node may have another processor. Nothing is downloaded.
./course --backend "$backend" build {lesson}

# "$@": what you add after the script's name.
{launcher} "build/$backend/bin/{lesson}" {arguments} "$@"
