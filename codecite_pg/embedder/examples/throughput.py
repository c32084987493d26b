"""The work of throughput.rs in Python: texts as JSON on stdin, [wall seconds, processor seconds] on stdout.

Arguments: the model folder; the path of the runtime library is accepted and ignored (the installed package is used).
"""

import json
import os
import sys
import time

import numpy
import onnxruntime
import tokenizers

folder = sys.argv[1]
with open(os.path.join(folder, "codecite.json"), encoding="utf-8") as file:
    manifest = json.load(file)
tokenizer = tokenizers.Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
tokenizer.enable_truncation(manifest["max_tokens"])
tokenizer.no_padding()
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(os.path.join(folder, "model.onnx"), options, ["CPUExecutionProvider"])
names = {i.name for i in session.get_inputs()}


def embed(text):
    ids = numpy.array([tokenizer.encode(text).ids], dtype=numpy.int64)
    feed = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
    states = session.run(None, {k: v for k, v in feed.items() if k in names})[0][0]
    vector = states.mean(axis=0)
    return vector / numpy.linalg.norm(vector)


if __name__ == "__main__":
    texts = json.load(sys.stdin)
    embed(texts[0])
    wall, processor = time.perf_counter(), time.process_time()
    for text in texts:
        embed(text)
    print(json.dumps([time.perf_counter() - wall, time.process_time() - processor]))
