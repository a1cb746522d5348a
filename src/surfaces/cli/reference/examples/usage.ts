/** Examples of the reference: resource usage of pods, and evictions under pressure. */
export const usage = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: usage }
spec:
  until: 5m
  cluster:
    nodes: [{ name: a, capacity: { memory: 1Gi, ephemeral-storage: 10Gi } }]
    usage:
      - { system: true, nodes: [a], memory: 100Mi, pids: 200 }
      - { system: true, container: backup, memory: 10Mi }
      - { system: true, nodes: [b], memory: [{ at: 0s, is: 1Mi }], disk: { from: 0, to: 1Mi, over: 1m }, pids: [{ at: 0s, is: 3 }], cpu: [{ at: 0s, is: 100m }] }
      - { system: true, nodes: [c], memory: { from: 1Mi, to: 2Mi, every: 1m }, disk: { from: 1Mi, to: 2Mi, every: 1m }, pids: { from: 1, to: 9, over: 1m }, cpu: { from: 0, to: 100m, over: 1m } }
      - { system: true, nodes: [d], pids: { from: 1, to: 9, every: 1m }, cpu: { from: 0, to: 1, every: 1m } }
      - { selector: { matchLabels: { app: web } }, shared: true, cpu: { from: 100m, to: 900m, every: 2m } }
      - { selector: { matchLabels: { app: leaky } }, namespace: default, memory: { from: 50Mi, to: 2Gi, over: 2m } }
      - { selector: { matchLabels: { app: steady } }, container: c, memory: 100Mi, disk: [{ at: 0s, is: 1Gi }, { at: 1m, is: 2Gi }], cpu: { to: 500m, every: 1m }, pids: 12 }
  steps:
    - apply:
        - { apiVersion: v1, kind: Pod, metadata: { name: leaky, labels: { app: leaky } }, spec: { containers: [{ name: c, image: "c:1" }] } }
        - { apiVersion: v1, kind: Pod, metadata: { name: steady, labels: { app: steady } }, spec: { containers: [{ name: c, image: "c:1" }] } }
    - waitFor: { match: { kind: Pod, metadata: { name: leaky }, status: { phase: Failed, reason: Evicted } }, within: 2m }
      expect:
        - match: { kind: Pod, metadata: { name: steady }, status: { phase: Running } }
`;
