/** Examples of the reference: metrics other than usage, and an autoscaler that uses them. */
export const metrics = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: metrics }
spec:
  until: 1m
  cluster:
    metrics:
      - { name: queue-length, external: true, namespace: default, labels: { queue: mail }, value: "30" }
      - { name: hits, object: { kind: Service, name: web }, value: { from: "0", to: "90", every: 2m } }
      - { name: load, object: { kind: Node, name: node-0 }, value: { from: "0", to: "9", over: 2m } }
      - { name: requests, pods: { matchLabels: { app: web } }, shared: true, value: [{ at: 0s, is: "40" }] }
      - { name: sessions, pods: { matchExpressions: [{ key: app, operator: In, values: [web] }] }, value: "2" }
  steps:
    - apply:
        - { apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }
        - apiVersion: autoscaling/v2
          kind: HorizontalPodAutoscaler
          metadata: { name: web }
          spec:
            scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
            maxReplicas: 5
            metrics: [{ type: External, external: { metric: { name: queue-length }, target: { type: AverageValue, averageValue: "10" } } }]
    - waitFor: { match: { kind: Deployment, metadata: { name: web }, spec: { replicas: 3 } }, within: 45s }
`;
