/** Examples of the reference: how processes are configured. */
export const processes = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: configured }
spec:
  until: 3m
  cluster:
    agent: { nodeStatusReportFrequency: 1m }
    agentFlags: [--node-labels=tier=back]
    nodes:
      - name: small
        count: 2
        agent: { maxPods: 3, nodeLeaseDurationSeconds: 20 }
        agentFlags: [--node-labels=tier=front]
      - { name: large }
    schedulers:
      - { name: scheduler }
      - name: batch
        schedulerName: batch-scheduler
        candidates: 2
        flags: [--leader-elect-resource-name=batch-scheduler]
  steps:
    - fault: { configure: agent/small-1, flags: [--max-pods=-1] }
    - fault: { crash: agent/small-1 }
    - expectError: { start: agent/small-1, message: must not be a negative number }
    - fault: { configure: agent/small-1, flags: [--max-pods=4] }
    - fault: { restart: agent/small-1 }
    - fault: { configure: agent/large, config: { maxPods: 5 }, flags: [--port=10300] }
    - fault: { crash: agent/large, restartAfter: 5s }
    - at: 10s
      apply: { apiVersion: v1, kind: Pod, metadata: { name: p }, spec: { schedulerName: batch-scheduler, containers: [{ name: c, image: "c:1" }] } }
      expect:
        - answer: { process: agent/large, listener: health, path: /healthz, is: 200 }
        - answer: { process: scheduler, path: /metrics, token: watcher, cert: watcher, proxy: front, user: watcher, groups: [watchers], review: denied, is: 403 }
    - waitFor: { match: { kind: Pod, metadata: { name: p }, status: { phase: Running } }, within: 30s }
`;
