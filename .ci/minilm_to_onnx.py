"""Writes the weights of a BERT model as sentence-transformers have it (all-MiniLM-L6-v2) as an ONNX model, without PyTorch:

    python minilm_to_onnx.py FOLDER model.onnx

FOLDER has config.json and model.safetensors. The graph is BERT's encoder: token ids in, one vector for each token out; the
mean of the vectors, and their length, are left to the program that runs it. For .ci/embeddings; needs numpy, onnx, safetensors.
"""

import json
import pathlib
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
# What is added to the score of a token that is none.
MASKED = -1e9


class Graph:
    """Nodes and constants as they come."""

    def __init__(self):
        self.nodes, self.constants = [], {}

    def constant(self, name, values, kind=numpy.float32):
        array = numpy.ascontiguousarray(values, kind)
        # A scalar comes back with one dimension.
        self.constants[name] = numpy_helper.from_array(array.reshape(numpy.shape(values)), name)
        return name

    def node(self, operator, *inputs, **attributes):
        output = f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [output], **attributes))
        return output


class Encoder(Graph):
    """The layers of BERT over the weights of a model."""

    def __init__(self, config, weights):
        super().__init__()
        self.config, self.weights = config, weights
        self.width, self.heads = config["hidden_size"], config["num_attention_heads"]
        self.of_head = self.width // self.heads
        self.split = self.constant("split", [0, 0, self.heads, self.of_head], numpy.int64)
        self.merged = self.constant("merged", [0, 0, self.width], numpy.int64)

    def weight(self, name):
        return self.constant(name, self.weights[name])

    def normalized(self, values, layer):
        parts = self.weight(f"{layer}.weight"), self.weight(f"{layer}.bias")
        return self.node("LayerNormalization", values, *parts, axis=-1, epsilon=self.config["layer_norm_eps"])

    def linear(self, values, layer):
        turned = self.constant(f"{layer}.turned", self.weights[f"{layer}.weight"].T)
        return self.node("Add", self.node("MatMul", values, turned), self.weight(f"{layer}.bias"))

    def embedded(self):
        words = self.node("Gather", self.weight("embeddings.word_embeddings.weight"), "input_ids")
        types = self.node("Gather", self.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
        zero, one, two = (self.constant(f"at_{at}", [at], numpy.int64) for at in range(3))
        # A slice, and no Gather over a Range: ONNX Runtime's fusion of those two makes an invalid slice.
        length = self.node("Slice", self.node("Shape", "input_ids"), one, two)
        places = self.node("Slice", self.weight("embeddings.position_embeddings.weight"), zero, length, zero)
        return self.normalized(self.node("Add", self.node("Add", words, types), places), "embeddings.LayerNorm")

    def mask(self):
        axes = self.constant("mask_axes", [1, 2], numpy.int64)
        mask = self.node("Cast", self.node("Unsqueeze", "attention_mask", axes), to=TensorProto.FLOAT)
        absent = self.node("Sub", self.constant("one", 1), mask)
        return self.node("Mul", absent, self.constant("masked", MASKED))

    def attention(self, values, mask, layer):
        def head(name, order):
            part = self.node("Reshape", self.linear(values, f"{layer}.self.{name}"), self.split)
            return self.node("Transpose", part, perm=order)

        query, key, value = head("query", [0, 2, 1, 3]), head("key", [0, 2, 3, 1]), head("value", [0, 2, 1, 3])
        scale = self.constant("scale", self.of_head ** -0.5)
        scores = self.node("Add", self.node("Mul", self.node("MatMul", query, key), scale), mask)
        seen = self.node("MatMul", self.node("Softmax", scores, axis=-1), value)
        seen = self.node("Reshape", self.node("Transpose", seen, perm=[0, 2, 1, 3]), self.merged)
        whole = self.node("Add", self.linear(seen, f"{layer}.output.dense"), values)
        return self.normalized(whole, f"{layer}.output.LayerNorm")

    def gelu(self, values):
        half = self.node("Mul", values, self.constant("half", 0.5))
        erf = self.node("Erf", self.node("Mul", values, self.constant("root", 0.5 ** 0.5)))
        return self.node("Mul", half, self.node("Add", erf, self.constant("one", 1)))

    def layer(self, values, mask, layer):
        values = self.attention(values, mask, f"{layer}.attention")
        wide = self.gelu(self.linear(values, f"{layer}.intermediate.dense"))
        return self.normalized(self.node("Add", self.linear(wide, f"{layer}.output.dense"), values), f"{layer}.output.LayerNorm")

    def model(self):
        values, mask = self.embedded(), self.mask()
        for number in range(self.config["num_hidden_layers"]):
            values = self.layer(values, mask, f"encoder.layer.{number}")
        self.nodes.append(helper.make_node("Identity", [values], ["last_hidden_state"]))
        inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in INPUTS]
        output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", self.width])
        graph = helper.make_graph(self.nodes, "encoder", inputs, [output], list(self.constants.values()))
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def main():
    folder, target = map(pathlib.Path, sys.argv[1:])
    config = json.loads((folder / "config.json").read_text())
    model = Encoder(config, load_file(folder / "model.safetensors")).model()
    onnx.checker.check_model(model)
    onnx.save(model, target)


if __name__ == "__main__":
    main()
