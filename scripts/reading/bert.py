"""ms-marco-MiniLM-L-12-v2 in JAX, read from its ONNX file with 8-bit weights and written back into such a file."""

import jax
import jax.numpy as jnp
import numpy as np
import onnx
from onnx import numpy_helper

LAYERS, WIDTH, HEADS = 12, 384, 12
DROPOUT = 0.1


def _name_of(node):
    """'/bert/pooler/dense/Gemm_MatMul_quant' multiplies with 'bert.pooler.dense'."""
    name = node.strip("/").replace("/", ".")
    for end in (".Gemm_MatMul_quant", ".MatMul_quant"):
        name = name.removesuffix(end)
    return name + ".kernel"


def load(path):
    """The model, its weights by name, and for those that have 8 bits the start of their name in the file."""
    model = onnx.load(path)
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    read = lambda name: numpy_helper.to_array(tensors[name]).astype(np.float32)
    quantised = {}
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":
            quantised[_name_of(node.name)] = node.input[1].removesuffix("_quantized")
        elif node.op_type == "DequantizeLinear":
            start = node.input[1].removesuffix("_scale")
            quantised[start] = start
    weights = {
        name: (read(f"{start}_quantized") - read(f"{start}_zero_point")) * read(f"{start}_scale")
        for name, start in quantised.items()
    }
    for name, tensor in tensors.items():
        is_whole = not name.endswith(("_quantized", "_scale", "_zero_point"))
        if name.startswith(("bert.", "classifier.")) and is_whole and tensor.dims:
            weights[name] = read(name)
    return model, weights, quantised


def save(model, weights, quantised, path):
    """Writes weights into the model: 8 bits and one scale for a matrix, signed ones about zero, as they are in the file."""
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}

    def put(name, values):
        old = numpy_helper.to_array(tensors[name])
        new = np.asarray(values).astype(old.dtype).reshape(old.shape)
        tensors[name].CopyFrom(numpy_helper.from_array(new, name))

    for name, values in weights.items():
        values = np.asarray(values, np.float32)
        if name not in quantised:
            put(name, values)
            continue
        start = quantised[name]
        if tensors[f"{start}_quantized"].data_type == onnx.TensorProto.INT8:
            scale, zero, low, high = np.abs(values).max() / 127, 0, -127, 127
        else:
            scale = (max(0, values.max()) - min(0, values.min())) / 255
            zero, low, high = round(-min(0, values.min()) / scale), 0, 255
        put(f"{start}_quantized", np.clip(np.round(values / scale) + zero, low, high))
        put(f"{start}_scale", scale)
        put(f"{start}_zero_point", zero)
    onnx.save(model, path)


def in_8_bits(kernel):
    """What 8 bits leave of a matrix, with the gradient of the whole: what is trained so loses nothing when it is written."""
    scale = jnp.abs(kernel).max() / 127
    left = jnp.clip(jnp.round(kernel / scale), -127, 127) * scale
    return kernel + jax.lax.stop_gradient(left - kernel)


def normed(x, weights, name):
    x = x.astype(jnp.float32)
    centred = x - x.mean(-1, keepdims=True)
    variance = (centred**2).mean(-1, keepdims=True)
    return centred * jax.lax.rsqrt(variance + 1e-12) * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def logits(weights, ids, types, mask, key=None, number=jnp.bfloat16):
    """A logit of each pair; `key` of chance where it is trained."""
    keys = iter(jax.random.split(key, 4 * LAYERS + 2)) if key is not None else None

    def dropped(x):
        if keys is None:
            return x
        kept = jax.random.bernoulli(next(keys), 1 - DROPOUT, x.shape)
        return jnp.where(kept, x / (1 - DROPOUT), 0).astype(x.dtype)

    def times(x, name):
        kernel = in_8_bits(weights[f"{name}.kernel"]).astype(number)
        return x.astype(number) @ kernel + weights[f"{name}.bias"].astype(number)

    pairs, length = ids.shape
    split = lambda x: x.reshape(pairs, length, HEADS, WIDTH // HEADS).transpose(0, 2, 1, 3)
    unseen = jnp.where(mask[:, None, None, :] > 0, 0.0, -1e9)
    x = (
        weights["bert.embeddings.word_embeddings.weight"][ids]
        + weights["bert.embeddings.position_embeddings.weight"][None, :length]
        + weights["bert.embeddings.token_type_embeddings.weight"][types]
    )
    x = dropped(normed(x, weights, "bert.embeddings.LayerNorm"))
    for layer in range(LAYERS):
        at = f"bert.encoder.layer.{layer}"
        query, key_, value = (split(times(x, f"{at}.attention.self.{n}")) for n in ("query", "key", "value"))
        scores = (query @ key_.transpose(0, 1, 3, 2)).astype(jnp.float32) / np.sqrt(WIDTH // HEADS)
        shares = dropped(jax.nn.softmax(scores + unseen)).astype(number)
        seen = (shares @ value).transpose(0, 2, 1, 3).reshape(pairs, length, WIDTH)
        seen = dropped(times(seen, f"{at}.attention.output.dense"))
        x = normed(x + seen, weights, f"{at}.attention.output.LayerNorm")
        inner = jax.nn.gelu(times(x, f"{at}.intermediate.dense").astype(jnp.float32), approximate=False)
        x = normed(x + dropped(times(inner, f"{at}.output.dense")), weights, f"{at}.output.LayerNorm")
    first = dropped(jnp.tanh(times(x[:, 0], "bert.pooler.dense").astype(jnp.float32)))
    return (first @ in_8_bits(weights["classifier.kernel"]) + weights["classifier.bias"])[:, 0]
