"""Reads a data set by the package webdataset, and compares it with its index."""
import glob
import hashlib
import json
import sys

import webdataset

# The folder, and behind it the names of the members that a sample has: jpg, or those of variants as thumb.webp.
folder, members = sys.argv[1], sys.argv[2:] or ["jpg"]
shards = sorted(glob.glob(folder + "/*.tar"))
with open(folder + "/index.jsonl") as lines:
    index = {row["key"]: row for row in map(json.loads, lines)}
written = {key for key, row in index.items() if row["status"] == "filtered"}


def told(row, member):
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
        picture = told(row, member)
        assert hashlib.sha256(sample[member]).hexdigest() == picture["sha256"], key
        with open(folder + "/" + row["shard"], "rb") as shard:
            shard.seek(picture["offset"])
            assert shard.read(picture["size"]) == sample[member], key
assert seen == written, seen ^ written
decoded = webdataset.WebDataset(shards, shardshuffle=False).decode("pil").to_tuple("json", *members)
for row, *pictures in decoded:
    for member, picture in zip(members, pictures, strict=True):
        assert picture.size == (told(row, member)["width"], told(row, member)["height"]), member
print(f"webdataset {webdataset.__version__} read {len(seen)} samples of {len(shards)} shards, each with {', '.join(members)}")
