#!/usr/bin/env python3
"""Writes the weights of an MPNet encoder (Hugging Face's layout) as an ONNX graph with the weights in a file beside it.

usage: mpnet-onnx.py FOLDER OUT     FOLDER has config.json and model.safetensors; OUT gets model.onnx and model.onnx_data

The graph takes input_ids and attention_mask and gives last_hidden_state, in single precision and with standard operators
only. The weights are a file of their own so that backends map it and share it. Needs numpy and onnx, no deep-learning framework.
"""

import json
import math
import struct
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
# Positions begin behind the padding token's.
FIRST_POSITION = 2
# The distance at which relative positions share the last bucket.
FARTHEST = 128
# What is added to the scores of padding.
MASKED = -1e9


def tensors(path):
    """The tensors of a safetensors file by name, the encoder's without the name of the model."""
    raw = np.memmap(path, dtype=np.uint8, mode="r")
    (length,) = struct.unpack("<Q", raw[:8].tobytes())
    header = json.loads(raw[8:8 + length].tobytes())
    found = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = entry["data_offsets"]
        data = raw[8 + length + start:8 + length + end].view(np.float32)
        found[name.removeprefix("mpnet.")] = data.reshape(entry["shape"])
    return found


class Graph:
    """An ONNX graph under construction: every method adds nodes and returns the name of what they give."""

    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def integers(self, *values):
        return self.constant(np.array(values, np.int64))

    def scalar(self, value):
        return self.constant(np.float32(value))

    def op(self, kind, *inputs, **attributes):
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name


def buckets(length, count):
    """Which of `count` buckets the distance between two positions falls into, near ones exactly, far ones by logarithm."""
    place = np.arange(length)
    back = place[:, None] - place[None, :]
    half = count // 2
    exact = half // 2
    distance = np.abs(back)
    far = exact + (np.log(np.maximum(distance, 1) / exact) / math.log(FARTHEST / exact) * (half - exact)).astype(np.int64)
    return (back < 0) * half + np.where(distance < exact, distance, np.minimum(far, half - 1))


class Encoder:
    """The layers of MPNet, as nodes of a graph."""

    def __init__(self, config, weights):
        self.config, self.weights, self.graph = config, weights, Graph()
        self.heads, self.size = config["num_attention_heads"], config["hidden_size"]
        op, integers = self.graph.op, self.graph.integers
        shape = op("Shape", "input_ids")
        self.batch = op("Slice", shape, integers(0), integers(1))
        self.length = op("Slice", shape, integers(1), integers(2))

    def linear(self, x, name):
        op, constant = self.graph.op, self.graph.constant
        product = op("MatMul", x, constant(self.weights[name + ".weight"].T))
        return op("Add", product, constant(self.weights[name + ".bias"]))

    def normalized(self, x, name):
        scale, bias = (self.graph.constant(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.graph.op("LayerNormalization", x, scale, bias, axis=-1, epsilon=self.config["layer_norm_eps"])

    def embedded(self):
        op, constant, integers = self.graph.op, self.graph.constant, self.graph.integers
        words = op("Gather", constant(self.weights["embeddings.word_embeddings.weight"]), "input_ids", axis=0)
        positions = constant(self.weights["embeddings.position_embeddings.weight"][FIRST_POSITION:])
        positions = op("Slice", positions, integers(0), self.length, integers(0))
        return self.normalized(op("Add", words, op("Unsqueeze", positions, integers(0))), "embeddings.LayerNorm")

    def bias(self):
        """What is added to every layer's scores: nothing to see at padding, and how far two tokens are apart."""
        op, constant, integers = self.graph.op, self.graph.constant, self.graph.integers
        mask = op("Unsqueeze", op("Cast", "attention_mask", to=TensorProto.FLOAT), integers(1, 2))
        mask = op("Mul", op("Sub", self.graph.scalar(1), mask), self.graph.scalar(MASKED))
        longest = self.config["max_position_embeddings"] - FIRST_POSITION
        table = self.weights["encoder.relative_attention_bias.weight"]
        table = table[buckets(longest, self.config["relative_attention_num_buckets"])].transpose(2, 0, 1)[None]
        both = op("Concat", self.length, self.length, axis=0)
        return op("Add", mask, op("Slice", constant(table), integers(0, 0), both, integers(2, 3)))

    def split(self, x, order):
        shape = self.graph.op("Concat", self.batch, self.length, self.graph.integers(self.heads, self.size // self.heads), axis=0)
        return self.graph.op("Transpose", self.graph.op("Reshape", x, shape), perm=order)

    def attended(self, x, bias, name):
        op = self.graph.op
        query, key, value = (self.split(self.linear(x, f"{name}.attn.{part}"), order)
                             for part, order in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3])))
        scores = op("Mul", op("MatMul", query, key), self.graph.scalar(1 / math.sqrt(self.size // self.heads)))
        seen = op("MatMul", op("Softmax", op("Add", scores, bias), axis=-1), value)
        shape = op("Concat", self.batch, self.length, self.graph.integers(self.size), axis=0)
        seen = op("Reshape", op("Transpose", seen, perm=[0, 2, 1, 3]), shape)
        return self.normalized(op("Add", self.linear(seen, f"{name}.attn.o"), x), f"{name}.LayerNorm")

    def activated(self, x):
        """GELU by the error function."""
        op, scalar = self.graph.op, self.graph.scalar
        error = op("Erf", op("Div", x, scalar(math.sqrt(2))))
        return op("Mul", op("Mul", x, op("Add", error, scalar(1))), scalar(0.5))

    def layers(self):
        x, bias = self.embedded(), self.bias()
        for number in range(self.config["num_hidden_layers"]):
            name = f"encoder.layer.{number}"
            x = self.attended(x, bias, f"{name}.attention")
            wide = self.activated(self.linear(x, f"{name}.intermediate.dense"))
            x = self.normalized(self.graph.op("Add", self.linear(wide, f"{name}.output.dense"), x), f"{name}.output.LayerNorm")
        self.graph.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"]))

    def model(self):
        self.layers()
        inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ("input_ids", "attention_mask")]
        output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "length", self.size])
        graph = helper.make_graph(self.graph.nodes, "encoder", inputs, [output], self.graph.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8, producer_name="codecite")


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    config = json.loads((source / "config.json").read_text())
    if config["model_type"] != "mpnet":
        sys.exit(f"{source} is no MPNet encoder but {config['model_type']}")
    model = Encoder(config, tensors(source / "model.safetensors")).model()
    onnx.save(model, str(target / "model.onnx"), save_as_external_data=True, location="model.onnx_data", size_threshold=1024)
    onnx.checker.check_model(str(target / "model.onnx"))


main()
