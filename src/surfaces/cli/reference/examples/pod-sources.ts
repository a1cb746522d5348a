/** Examples of the reference: static pods from files and endpoints. */
export const podSources = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: pod-sources }
spec:
  until: 2m
  cluster:
    nodes:
      - { name: a, agent: { staticPodPath: /etc/pods } }
      - { name: b, agent: { staticPodURL: "http://pods.example.com/b", staticPodURLHeader: { X-Token: [word] }, httpCheckFrequency: 5s } }
    podSources:
      - { path: /etc/pods/web.yaml, nodes: [a], from: 10s, until: 1m, pod: { apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { containers: [{ name: c, image: "c:1" }] } } }
      - { url: "http://pods.example.com/b", headers: { X-Token: word }, pod: { apiVersion: v1, kind: Pod, metadata: { name: db }, spec: { containers: [{ name: c, image: "c:1" }] } } }
      - { submitted: true, nodes: [b], pod: { apiVersion: v1, kind: Pod, metadata: { name: handed-in }, spec: { containers: [{ name: c, image: "c:1" }] } } }
  steps:
    - waitFor: { match: { kind: Pod, metadata: { name: db-b }, status: { phase: Running } }, within: 10s }
    - waitFor: { match: { kind: Pod, metadata: { name: web-a }, status: { phase: Running } }, within: 40s }
`;
