/** Examples of the reference: choices that a search writes, more than one finding needs. */
export const choices = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: otherwise }
spec:
  until: 10m
  cluster:
    nodes: { count: 2 }
    latency: { api: 2ms, watch: 1ms }
    podBehaviors: [{ startDelay: 200ms, runFor: 3s }]
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completions: 3, parallelism: 1, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - apply: { apiVersion: v1, kind: Pod, metadata: { name: stuck }, spec: { containers: [{ name: c, image: "c:1" }] } }
    - at: 10m
      expect: { match: { kind: Job, metadata: { name: a }, status: { succeeded: 3 } } }
  choices:
    - { at: "see scheduler Pod default/a~1 #1", hold: 3s }
    - { at: "write controller-manager job default/a: update Job/status #2", crash: after, restartAfter: 2s, staleBy: 1s }
    - { at: "decide controller-manager job default/a w4+1", relist: true }
    - { at: "write agent/node-1 pod-runner default/a~1: patch Pod/status #2", refuse: 409 }
    - { at: "write controller-manager job default/a: update Job/status #4", lose: true }
    - { at: "decide controller-manager job default/a w5+1", skew: 20s, behind: true, for: 30s }
    - { at: "decide scheduler scheduler default/a~2 w0+1", cut: 5s }
    - { at: "write scheduler scheduler default/a~3: create Pod/binding #1", late: 500ms }
    - { at: "start agent/node-0 default/stuck #1", hang: true }
    - { at: "actor controller-manager sees Pod", slow: 100ms, until: 1m }
`;
