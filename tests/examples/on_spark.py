"""Convert web archives to Parquet on Spark, one task per archive.

spark-submit on_spark.py webtool.zip OUT crawl/*.warc.gz
"""

import sys


def rows_of(paths):
    """Yield the rows of one partition's archives as lines of JSON. Runs on a worker."""
    import json

    import webtool

    for path in paths:
        with open(path, "rb") as stream:
            for row in webtool.extract_many(webtool.archives.pages(stream), workers=0):
                yield json.dumps(row)


def main():
    from pyspark.sql import SparkSession

    library, out, *archives = sys.argv[1:]
    session = SparkSession.builder.getOrCreate()
    context = session.sparkContext
    context.addPyFile(library)
    lines = context.parallelize(archives, len(archives)).mapPartitions(rows_of)
    # Written as text and read back as JSON, so that Spark finds all columns: rows of errors have other fields.
    session.read.json(lines).write.parquet(out, compression="gzip")
    session.stop()


if __name__ == "__main__":
    main()
