"""Reads a data set by the package webdataset, and compares it with its index."""
import glob
import hashlib
import json
import sys

import webdataset

folder = sys.argv[1]
shards = sorted(glob.glob(folder + "/*.tar"))
with open(folder + "/index.jsonl") as lines:
    index = {row["key"]: row for row in map(json.loads, lines)}
written = {key for key, row in index.items() if row["status"] == "filtered"}
seen = set()
for sample in webdataset.WebDataset(shards, shardshuffle=False):
    key, row = sample["__key__"], index[sample["__key__"]]
    assert key not in seen, key + " is there twice"
    seen.add(key)
    told = json.loads(sample["json"])
    assert all(row[name] == value for name, value in told.items()), (row, told)
    assert hashlib.sha256(sample["jpg"]).hexdigest() == row["sha256"], key
    with open(folder + "/" + row["shard"], "rb") as shard:
        shard.seek(row["offset"])
        assert shard.read(row["size"]) == sample["jpg"], key
assert seen == written, seen ^ written
decoded = webdataset.WebDataset(shards, shardshuffle=False).decode("pil").to_tuple("jpg", "json")
assert all(picture.size == (row["width"], row["height"]) for picture, row in decoded)
print(f"webdataset {webdataset.__version__} read {len(seen)} samples of {len(shards)} shards")
