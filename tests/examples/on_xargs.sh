#!/bin/sh
# Web archives to lines of JSON on all cores with nothing but xargs, one archive a process:
#     on_xargs.sh webtool.pyz OUT crawl/*.warc.gz
# Run it again after a break: what an output file answers already is skipped. GNU parallel takes the same command:
#     parallel webtool.pyz extract {} --workers 1 -q -o OUT/{/}.ndjson ::: crawl/*.warc.gz
set -eu
webtool=$1 out=$2
shift 2
mkdir -p "$out"
printf '%s\0' "$@" | xargs -0 -n 1 -P "$(getconf _NPROCESSORS_ONLN)" sh -c '
    "$0" extract "$2" --workers 1 -q -o "$1/$(basename "$2").ndjson" || [ $? = 7 ]' "$webtool" "$out"
