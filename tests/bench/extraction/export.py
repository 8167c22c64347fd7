"""Turn a LightGBM model into the bytes that model/forest.py reads. In: Booster.dump_model(). Out: bytes.

Layout, all numbers little-endian: two floats (step, bias); shorts: number of conditions, number of groups; a short
per condition (feature << 8 | threshold); then for each group: number of steps, number of trees; the index of each
tree's outcome; the size of each step; and for each step three arrays: condition, left side, right side. Indexes below
256 are leaves of that value, those above are the group's nodes in the order they are worked out.
"""

from __future__ import annotations

import struct

GROUP = 24  # trees in a group; their data should fit the processor's cache together


def mean(dumps: list[dict]) -> dict:
    """Return one forest whose score is the mean of these forests' scores."""
    trees = [info for dump in dumps for info in dump["tree_info"]]
    stack = [info["tree_structure"] for info in trees]
    while stack:
        node = stack.pop()
        if "split_feature" in node:
            stack += [node["right_child"], node["left_child"]]
        else:
            node["leaf_value"] /= len(dumps)
    return {"tree_info": trees}


def to_bytes(dump: dict) -> bytes:
    """Return the forest as bytes, with leaf values rounded to 256 steps and sums that fit 16 bits."""
    trees = [info["tree_structure"] for info in dump["tree_info"]]
    ranges = [_range(tree) for tree in trees]
    step = max(max(high - low for low, high in ranges) / 255, sum(high - low for low, high in ranges) / 65_000, 1e-9)
    bias = sum(low for low, _ in ranges)
    conditions: dict[tuple[int, int], int] = {}
    for tree in trees:
        for node in _inner(tree):
            conditions.setdefault(_condition(node), 0)
    for index, key in enumerate(sorted(conditions)):
        conditions[key] = index
    groups = [
        _group(trees[i : i + GROUP], ranges[i : i + GROUP], step, conditions) for i in range(0, len(trees), GROUP)
    ]
    head = struct.pack("<ffHH", step, bias, len(conditions), len(groups))
    return head + _shorts([feature << 8 | threshold for feature, threshold in sorted(conditions)]) + b"".join(groups)


def _shorts(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}H", *values)


def _condition(node: dict) -> tuple[int, int]:
    """Return (feature, threshold) of a node; figures are whole numbers, so "<= 3.5" is "<= 3"."""
    if node["decision_type"] != "<=":
        raise ValueError(node["decision_type"])
    return node["split_feature"], max(0, min(255, int(node["threshold"] // 1)))


def _inner(tree: dict):
    stack = [tree]
    while stack:
        node = stack.pop()
        if "split_feature" in node:
            yield node
            stack += [node["right_child"], node["left_child"]]


def _range(tree: dict) -> tuple[float, float]:
    values = []
    stack = [tree]
    while stack:
        node = stack.pop()
        if "split_feature" in node:
            stack += [node["right_child"], node["left_child"]]
        else:
            values.append(node["leaf_value"])
    return min(values), max(values)


def _height(node: dict) -> int:
    if "split_feature" not in node:
        return 0
    if "height" not in node:
        node["height"] = 1 + max(_height(node["left_child"]), _height(node["right_child"]))
    return node["height"]


def _group(trees: list[dict], ranges: list[tuple[float, float]], step: float, conditions: dict) -> bytes:
    steps: dict[int, list[tuple[dict, float]]] = {}
    for tree, (low, _) in zip(trees, ranges):
        for node in _inner(tree):
            steps.setdefault(_height(node), []).append((node, low))
    index: dict[int, int] = {}
    arrays: list[bytes] = []
    sizes = []
    at = 256
    for height in sorted(steps):
        nodes = sorted(steps[height], key=lambda entry: conditions[_condition(entry[0])])
        sides = [[_side(node[name], low, step, index) for node, low in nodes] for name in ("left_child", "right_child")]
        arrays += [_shorts([conditions[_condition(node)] for node, _ in nodes]), *map(_shorts, sides)]
        for node, _ in nodes:
            index[id(node)] = at
            at += 1
        sizes.append(len(nodes))
    roots = [_side(tree, low, step, index) for tree, (low, _) in zip(trees, ranges)]
    return _shorts([len(sizes), len(trees)]) + _shorts(roots) + _shorts(sizes) + b"".join(arrays)


def _side(node: dict, low: float, step: float, index: dict[int, int]) -> int:
    if "split_feature" in node:
        return index[id(node)]
    return min(255, round((node["leaf_value"] - low) / step))
