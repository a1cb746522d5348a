# Installs the definition by kubectl, and becomes the operator.
set -e
here=$(dirname "$0")
until kubectl apply -f "$here/definition.yaml" && kubectl apply -f "$here/greeting.yaml"; do sleep 0.1; done
exec "$@"
