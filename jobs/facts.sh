# shellcheck shell=bash
# Reads jobs/centres.conf; sourced by render, lint and submit.

conf=$(dirname "${BASH_SOURCE[0]}")/centres.conf

# The centres of the table, a line each.
centres() { sed -n 's/^\[\(.*\)\]$/\1/p' "$conf"; }

# fact CENTRE NAME: the value without its source; nothing when the table does not have it.
fact() { sed -n "/^\[$1\]\$/,/^\$/ s/^$2  *= \(.*[^ ]\)  *#.*/\1/p" "$conf"; }
