"""Turn a LightGBM model into the bytes that model/forest.py reads. In: Booster.dump_model(). Out: bytes.

Layout, all numbers little-endian: two floats (step, bias); shorts: number of conditions, number of trees; a short per
condition (feature << 8 | threshold); the index of each tree's root; and three arrays over all nodes: condition, left
side, right side. Indexes below FIRST_NODE are leaves of that value, those above are nodes; a tree's nodes come in the
order in which a walk meets them that takes left sides first.
"""

from __future__ import annotations

import struct

from webtool.extraction.model.forest import FIRST_NODE


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
    roots, nodes = _nodes(trees, ranges, step, conditions)
    head = struct.pack("<ffHH", step, bias, len(conditions), len(trees))
    limits = [feature << 8 | threshold for feature, threshold in sorted(conditions)]
    return head + b"".join(map(_shorts, (limits, roots, *nodes)))


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


def _nodes(trees: list[dict], ranges: list[tuple[float, float]], step: float, conditions: dict):
    """Return the roots' indexes, and the nodes' conditions, left sides and right sides."""
    inner = [(node, low) for tree, (low, _) in zip(trees, ranges) for node in _inner(tree)]
    index = {id(node): FIRST_NODE + number for number, (node, _) in enumerate(inner)}

    def side(node: dict, low: float) -> int:
        if "split_feature" in node:
            return index[id(node)]
        return min(255, round((node["leaf_value"] - low) / step))

    roots = [side(tree, low) for tree, (low, _) in zip(trees, ranges)]
    sides = [[side(node[name], low) for node, low in inner] for name in ("left_child", "right_child")]
    return roots, ([conditions[_condition(node)] for node, _ in inner], *sides)
