# Build on this node, because a login node may have another processor. Nothing is downloaded.
program=$(./course --backend "$backend" build {lesson})

# {why_launcher}
# "$@" has the arguments after the name of the script.
{launcher} "$program" {arguments} "$@"
