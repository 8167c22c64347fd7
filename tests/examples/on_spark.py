"""Web archives to Parquet on Spark, one archive a task.

spark-submit on_spark.py webtool.zip OUT crawl/*.warc.gz
"""

import sys


def rows_of(paths):
    """Runs on a worker, for the archives of one partition."""
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
    # Text first and then read as JSON: rows of errors have other members, and Spark finds the columns.
    session.read.json(lines).write.parquet(out, compression="gzip")
    session.stop()


if __name__ == "__main__":
    main()
