"""Convert the web archives of a folder every hour on Airflow, one task per archive.

Copy this file into the folder of DAGs. The environment names three paths: WEBTOOL_FILE (webtool.pyz), ARCHIVES (the
folder of archives) and OUT (the folder of rows). A task that is repeated skips what its output answers already.
"""

import datetime
import os
import pathlib
import subprocess
import sys

from airflow.sdk import dag, task


@task
def archives():
    """Return the paths of the archives."""
    return sorted(str(path) for path in pathlib.Path(os.environ["ARCHIVES"]).glob("*.warc.gz"))


@task(retries=2)
def extract(path):
    """Convert one archive. Status 7 means that single pages failed: they are rows with error_code."""
    out = os.path.join(os.environ["OUT"], os.path.basename(path) + ".ndjson")
    command = [sys.executable, os.environ["WEBTOOL_FILE"], "extract", path, "--workers", "1", "-q", "-o", out]
    status = subprocess.run(command, check=False).returncode
    if status not in (0, 7):
        raise RuntimeError(f"webtool extract {path} ended with status {status}")


@dag(schedule="@hourly", start_date=datetime.datetime(2026, 1, 1), catchup=False, tags=["webtool"])
def extract_archives():
    """List the archives, then convert each."""
    extract.expand(path=archives())


extract_archives()
