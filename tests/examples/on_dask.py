"""Convert web archives to lines of JSON on Dask, one task per archive.

    python on_dask.py webtool.zip OUT crawl/*.warc.gz

Without the address of a scheduler in DASK_SCHEDULER_ADDRESS, it starts two workers on this machine.
"""

import os
import sys


def extract(path, out):
    """Convert one archive and return the number of its pages. Runs on a worker."""
    import json
    import os

    import webtool

    target = os.path.join(out, os.path.basename(path) + ".ndjson")
    count = 0
    with open(path, "rb") as stream, open(target + ".part", "w", encoding="utf-8") as file:
        for row in webtool.extract_many(webtool.archives.pages(stream), workers=1):
            file.write(json.dumps(row) + "\n")
            count += 1
    os.replace(target + ".part", target)  # so that an existing file is always complete
    return count


def main():
    from distributed import Client

    library, out, *archives = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    with Client(address) if address else Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        client.upload_file(library)
        print(sum(client.gather(client.map(extract, archives, out=out))), "pages")


if __name__ == "__main__":
    main()
