"""Lints and renders a Helm chart, and holds what comes of it against the API of Kubernetes.

check-chart.py CHART [VALUES as JSON]: writes the manifests; status 1 and what is wrong where something is.
Uses helm-python-sdk, kubernetes-validate and its PyYAML, as scripts/lib/test-machine.js installs them.
"""

import json
import sys

import kubernetes_validate
import yaml
from helm_python.chart import Chart, lint

WARNING = 2

path, values = sys.argv[1], json.loads(sys.argv[2] if len(sys.argv) > 2 else "{}")
report = lint(path, values, strict=True)
wrong = [message["error"] for message in report["messages"] if message["severity"] >= WARNING] + report["errors"]
if wrong:
    sys.exit("\n".join(wrong))
for name, text in sorted(Chart.load(path).render(values, name="care").items()):
    if not name.endswith(".yaml"):
        continue
    for manifest in yaml.safe_load_all(text):
        if manifest is None:
            continue
        try:
            kubernetes_validate.validate(manifest, "1.37", strict=True)
        except kubernetes_validate.ValidationError as error:
            sys.exit(f"{name}: {error.message} at {list(error.path)}")
        print(json.dumps(manifest))
