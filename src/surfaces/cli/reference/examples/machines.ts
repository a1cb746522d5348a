/** Examples of the reference: faults, in a cluster with leader election. */
export const machines = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: bad-day }
spec:
  until: 10m
  cluster:
    nodes: [{ name: east, labels: { zone: east } }, { name: west }]
    scheduler: [--leader-elect-lease-duration=15s]
    schedulers: 2
    controllerManagers: 2
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: pi }, spec: { completions: 3, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - fault: { crash: controller-manager, afterWrites: 2, restartAfter: 10s }
    - at: 30s
      fault: { stop: scheduler, restartAfter: 5s }
    - at: 1m
      fault: { lag: controller-manager-1, by: 2s, for: 20s, kinds: [Pod] }
    - fault: { failRequest: controller-manager-1, times: 2, code: 500, verb: update, kinds: [Job], loseResponse: true }
    - fault: { skew: scheduler-1, by: 3s, behind: true }
    - at: 90s
      fault: { relist: controller-manager, staleBy: 10s, kinds: [Pod] }
    - at: 2m
      fault: { partition: agent/east, for: 30s }
    - at: 3m
      fault: { nodeDown: west }
    - at: 4m
      fault: { nodeUp: west }
    - fault: { nodeNotReady: east }
    - at: 5m
      fault: { nodeReady: east }
    - fault: { stop: agent/west }
    - fault: { crash: agent/west, ifPossible: true }
    - fault: { stop: agent/west, ifPossible: true }
    - fault: { nodeDown: west, shutdown: true, ifPossible: true }
    - after: 5s
      fault: { restart: agent/west, staleBy: 3s }
    - fault: { restart: agent/west, ifPossible: true }
    - fault: { relist: agent/west, ifPossible: true }
    - fault: { nodeUp: west, ifPossible: true }
    - fault: { nodeNotReady: east, ifPossible: true }
    - fault: { nodeReady: east, ifPossible: true }
`;
