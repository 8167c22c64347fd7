"""Scoring all blocks at once on long integers equals walking the trees for each block."""

import random

import pytest
from bench.extraction import export

from webtool.extraction.model.forest import CHUNK, Forest, tables


def random_tree(rng, depth, features):
    if depth == 0 or rng.random() < 0.2:
        return {"leaf_value": rng.uniform(-0.4, 0.4)}
    return {
        "split_feature": rng.randrange(features),
        "threshold": rng.randrange(0, 255) + 0.5,
        "decision_type": "<=",
        "left_child": random_tree(rng, depth - 1, features),
        "right_child": random_tree(rng, depth - 1, features),
    }


def walked(tree, row):
    while "split_feature" in tree:
        tree = tree["left_child"] if row[tree["split_feature"]] <= tree["threshold"] else tree["right_child"]
    return tree["leaf_value"]


@pytest.mark.parametrize("count", [1, 2, 7, 250, CHUNK + 3])
@pytest.mark.parametrize("trees", [1, 5, 60])
def test_scores_equal_those_of_trees_walked_block_by_block(count, trees):
    rng = random.Random(count * 100 + trees)
    features = 12
    forest = [random_tree(rng, 5, features) for _ in range(trees)]
    rows = [[rng.randrange(256) for _ in range(features)] for _ in range(count)]
    columns = [bytes(column) for column in zip(*rows)]
    loaded = Forest(tables(export.to_bytes({"tree_info": [{"tree_structure": tree} for tree in forest]})))
    scores = loaded.scores(columns)
    assert len(scores) == count
    for row, score in zip(rows, scores):
        # a leaf is rounded to half a step at most
        assert abs(score - sum(walked(tree, row) for tree in forest)) <= trees * loaded.step * 0.51 + 1e-4


def test_the_mean_of_two_forests_scores_between_them():
    rng = random.Random(3)
    forests = [[random_tree(rng, 4, 6) for _ in range(8)] for _ in range(2)]
    row = [rng.randrange(256) for _ in range(6)]
    sums = [sum(walked(tree, row) for tree in forest) for forest in forests]
    mean_forest = export.mean([{"tree_info": [{"tree_structure": tree} for tree in forest]} for forest in forests])
    assert len(mean_forest["tree_info"]) == 16
    mean = sum(walked(info["tree_structure"], row) for info in mean_forest["tree_info"])
    assert abs(mean - sum(sums) / 2) < 1e-9
