"""Convert web archives, or a table with the columns url and html, to Parquet on Spark.

    spark-submit on_spark.py webtool.zip OUT crawl/*.warc.gz     one task per archive
    spark-submit on_spark.py webtool.zip OUT pages.parquet       a table of pages, also of many files

The columns are those of webtool.bulk.columns, so Spark reads nothing twice to find them. Each task converts in one
worker process (workers=1), which limits time and memory: a page that exceeds them becomes a row with error_code.
"""

import os
import sys


def rows_of_archives(paths):
    """Yield Arrow batches of the rows of archives. Runs on a Python worker of Spark."""
    import webtool
    from webtool.bulk import columns

    for batch in paths:
        for path in batch.column("path").to_pylist():
            with open(path, "rb") as stream:
                yield from batches(webtool.extract_many(webtool.archives.pages(stream), workers=1), columns)


def batches(rows, columns, size=200):
    """Yield Arrow batches of `size` rows, so that memory stays flat."""
    import pyarrow

    schema, some = columns.arrow_schema(), []
    for row in rows:
        some.append(columns.fit(row))
        if len(some) == size:
            yield pyarrow.RecordBatch.from_pylist(some, schema=schema)
            some = []
    if some:
        yield pyarrow.RecordBatch.from_pylist(some, schema=schema)


def rows_of_pages(frames):
    """Yield frames of rows for frames with the columns url and html: a function for DataFrame.mapInPandas."""
    import pandas

    import webtool
    from webtool.bulk import columns

    for frame in frames:
        pages = zip(frame["url"], frame["html"])
        rows = [columns.fit(row) for row in webtool.extract_many(pages, workers=1)]
        yield pandas.DataFrame(rows, columns=[column.name for column in columns.COLUMNS])


def main():
    from pyspark.sql import SparkSession
    from pyspark.sql.pandas.types import from_arrow_schema

    library, out, *inputs = sys.argv[1:]
    sys.path.insert(0, os.path.abspath(library))
    from webtool.bulk import columns

    session = SparkSession.builder.getOrCreate()
    session.sparkContext.addPyFile(library)
    session.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "64")  # pages of 200 KB in memory at once
    schema = from_arrow_schema(columns.arrow_schema())
    if inputs[0].endswith(".parquet"):
        rows = session.read.parquet(*inputs).select("url", "html").mapInPandas(rows_of_pages, schema)
    else:
        paths = session.createDataFrame([(path,) for path in inputs], "path string").repartition(len(inputs))
        rows = paths.mapInArrow(rows_of_archives, schema)
    rows.write.parquet(out, compression="gzip")
    session.stop()


if __name__ == "__main__":
    main()
