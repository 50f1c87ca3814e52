"""llama.cpp's real server by the arguments of its own program, where no build of that program is: from the Python package that carries
it (small-model.txt). It takes the arguments that Sigma gives, and prints where it listens as the program does."""
import argparse
import pathlib
import signal

import xllamacpp

parser = argparse.ArgumentParser()
for name in ("model", "alias", "host", "port", "api-key-file", "ctx-size", "parallel", "threads", "reasoning-budget"):
    parser.add_argument(f"--{name}", required=True)
for name in ("kv-unified", "jinja", "offline", "no-slots", "no-webui"):
    parser.add_argument(f"--{name}", action="store_true")
args = parser.parse_args()

params = xllamacpp.CommonParams()
params.model.path = args.model
params.model_alias = {args.alias}
params.hostnames = [args.host]
params.port = int(args.port)
params.api_keys = [pathlib.Path(args.api_key_file).read_text().strip()]
params.n_ctx = int(args.ctx_size)
params.n_parallel = int(args.parallel)
params.kv_unified = args.kv_unified
# Threads of a machine that is busy with other tests wait for each other: one is quicker than two there.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.endpoint_slots = not args.no_slots
params.ui = False
server = xllamacpp.Server(params)
print(f"llama_server: listening on {server.listening_address}", flush=True)
signal.pause()
