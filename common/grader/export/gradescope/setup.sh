#!/bin/bash
# Gradescope runs this file once, as root, to build the autograder. The first check installs what checks need and builds it,
# so that a submission costs seconds. If the solution is not right here, the build of the autograder fails.
set -e
exercise=$(</autograder/source/exercise)
cd /autograder/source/course
./course --backend cpu check "$exercise" --file solutions/[0-9][0-9]-"$exercise.cu"
chmod 700 solutions tests # submissions run as another user
