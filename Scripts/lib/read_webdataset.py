"""Reads a data set by the packages webdataset and datasets, and its tables by PyArrow and DuckDB, and compares them with its index."""
import glob
import hashlib
import json
import os
import sys
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
# pylint: disable=wrong-import-position
import datasets  # noqa: E402
import duckdb  # noqa: E402
import pyarrow.dataset  # noqa: E402
import webdataset  # noqa: E402

# The folder, and behind it the names of the members that a sample has: jpg, or those of variants as thumb.webp.
folder, members = sys.argv[1], sys.argv[2:] or ["jpg"]
shards = sorted(glob.glob(folder + "/*.tar"))
with open(folder + "/index.jsonl") as lines:
    index = {row["key"]: row for row in map(json.loads, lines)}
written = {key for key, row in index.items() if row["status"] == "filtered"}


def told_of(row, member):
    """What a row says of a member."""
    return row["variants"][member.split(".")[0]] if "variants" in row else row


def without_offsets(row):
    variants = row.get("variants", {}).items()
    return {**row, "variants": {name: {**told, "offset": None} for name, told in variants}}


seen = set()
for sample in webdataset.WebDataset(shards, shardshuffle=False):
    key, row = sample["__key__"], index[sample["__key__"]]
    assert key not in seen, key + " is there twice"
    seen.add(key)
    assert {name for name in sample if not name.startswith("__")} == {*members, "json"}, sample.keys()
    said, full = without_offsets(json.loads(sample["json"])), without_offsets(row)
    assert all(full[name] == value for name, value in said.items()), (row, said)
    for member in members:
        picture = told_of(row, member)
        assert hashlib.sha256(sample[member]).hexdigest() == picture["sha256"], key
        with open(folder + "/" + row["shard"], "rb") as shard:
            shard.seek(picture["offset"])
            assert shard.read(picture["size"]) == sample[member], key
assert seen == written, seen ^ written
decoded = webdataset.WebDataset(shards, shardshuffle=False).decode("pil").to_tuple("json", *members)
for row, *pictures in decoded:
    for member, picture in zip(members, pictures, strict=True):
        assert picture.size == (told_of(row, member)["width"], told_of(row, member)["height"]), member
print(f"webdataset {webdataset.__version__} read {len(seen)} samples of {len(shards)} shards, each with {', '.join(members)}")


def row_of_table(row):
    """What a table has to say of a row of the index."""
    told = {name: row.get(name) for name in ("key", "name", "url", "status", "error", "detail", "final_url", "bytes", "milliseconds",
                                             "original_width", "original_height")}
    for member in members:
        ending = "" if "." not in member else "_" + member.split(".")[0]
        picture = told_of(row, member) if row["status"] == "filtered" else {}
        told.update({name + ending: picture.get(name) for name in ("width", "height", "size", "sha256")})
    catalog = row["catalog"]
    return {**told, "catalog_name": catalog["name"], "catalog_url": catalog["url"], "caption": catalog["caption"]}


expected = {key: row_of_table(row) for key, row in index.items()}
tables = folder + "/*.parquet"
by_duckdb = duckdb.sql(f"SELECT * FROM '{tables}'")
for reader, found in (("pyarrow", pyarrow.dataset.dataset(sorted(glob.glob(tables))).to_table().to_pylist()),
                      ("duckdb", [dict(zip(by_duckdb.columns, row)) for row in by_duckdb.fetchall()])):
    assert {row["key"]: row for row in found} == expected and len(found) == len(expected), (reader, found, expected)
width = "width_" + members[0].split(".")[0] if "." in members[0] else "width"
(count,), = duckdb.sql(f"SELECT count(*) FROM '{tables}' WHERE {width} > 0 AND caption <> ''").fetchall()
assert count == len(written), count
print(f"pyarrow {pyarrow.__version__} and duckdb {duckdb.__version__} read {len(expected)} rows of {len(glob.glob(tables))} tables")

datasets.disable_progress_bars()
with tempfile.TemporaryDirectory() as cache:
    samples = datasets.load_dataset("webdataset", data_files=shards, split="train", cache_dir=cache)
    assert sorted(sample["__key__"] for sample in samples.select_columns("__key__")) == sorted(written)
print(f"datasets {datasets.__version__} read {len(written)} samples")
