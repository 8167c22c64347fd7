"""Convert web archives to lines of JSON on Ray, one task per archive.

python on_ray.py webtool.zip OUT crawl/*.warc.gz
"""

import os
import shutil
import sys
import tempfile


def extract(path, out):
    """Convert one archive and return the number of its pages. Runs on a worker, in the folder that was sent to it."""
    import json
    import os
    import sys

    sys.path.insert(0, os.path.abspath("webtool.zip"))
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
    import ray

    library, out, *archives = sys.argv[1:]
    out = os.path.abspath(out)
    os.makedirs(out, exist_ok=True)
    folder = tempfile.mkdtemp()
    shutil.copy(library, os.path.join(folder, "webtool.zip"))  # sent as a file: Ray would unpack an archive of modules
    ray.init(num_cpus=2, include_dashboard=False, runtime_env={"working_dir": folder}, log_to_driver=False)
    task = ray.remote(extract)
    print(sum(ray.get([task.remote(os.path.abspath(path), out) for path in archives])), "pages")
    ray.shutdown()


if __name__ == "__main__":
    main()
