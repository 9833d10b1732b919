# Built here, where the GPU is: a login node may have another processor. Nothing is downloaded.
program=$(./course --backend "$backend" build {lesson})

# {why_launcher}
# "$@": what you add after the script's name.
{launcher} "$program" {arguments} "$@"
