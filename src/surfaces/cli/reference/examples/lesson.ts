/** Examples of the reference: a lesson that asks, says where to look, and offers what to try; a step right after a write. */
export const lesson = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: lesson }
spec:
  title: What a crash costs
  teaches: Whoever lists before deciding needs no memory.
  cluster: { podBehaviors: [{ startDelay: 1s, runFor: 2s }] }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: pi }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - when: { revision: 42 }
      fault: { crash: scheduler, restartAfter: 1s }
    - ask:
        question: The scheduler died at once. What is there at 500 ms?
        choices:
          - { say: A pod without a node., cel: "objects('Pod').all(p, p.status.phase == 'Pending')", because: Somebody has to choose one. }
          - { say: A pod that runs., cel: "objects('Pod').all(p, p.status.phase == 'Running')", because: No agent starts a pod without a node. }
      at: 500ms
      note: It waits for whoever chooses nodes.
      look: { at: { kind: Pod }, as: scheduler }
      expect: { count: { of: { kind: Pod }, is: 1 } }
      try:
        - { say: Delete the pod, delete: { target: { kind: Pod } }, after: 10s, then: { match: { kind: Job, status: { succeeded: 1 } } } }
        - { say: Kill it once more, fault: { crash: scheduler, restartAfter: 2s, ifPossible: true }, then: { match: { kind: Job, status: { succeeded: 1 } } } }
    - when: settled
      note: It is done.
      look: Job/pi
      expect: { match: { kind: Job, metadata: { name: pi }, status: { succeeded: 1 } } }
---
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: lesson-of-a-broken-promise }
spec:
  invariants: [job/no-success-is-lost]
  cluster: { podBehaviors: [{ runFor: 2s }] }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: pi }, spec: { completions: 2, parallelism: 1, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - waitFor: { match: { kind: Job, metadata: { name: pi }, status: { succeeded: 1 } } }
      note: One of two is done.
      try:
        - { say: Tidy up, delete: { target: { kind: Pod, cel: self.status.phase == 'Succeeded' } }, breaks: job/no-success-is-lost }
`;
