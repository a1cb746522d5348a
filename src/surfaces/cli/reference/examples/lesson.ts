/** Examples of the reference: a lesson with a question, a place to look at, and what-ifs. */
export const lesson = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: lesson }
spec:
  title: A lost success
  teaches: A Job without finalizers counts the pods that exist.
  until: 1m
  cluster: { podBehaviors: [{ runFor: 1s }] }
  invariants: [job/no-success-is-lost]
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: pi }, spec: { completions: 2, parallelism: 1, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - at: 500ms
      ask:
        question: The Job wants two successes, one at a time. How many pods are there now?
        choices:
          - { say: One., cel: objects('Pod').size() == 1, because: parallelism allows one at a time. }
          - { say: Two., cel: objects('Pod').size() == 2, because: The second one comes when the first has ended. }
      note: There is one pod, since parallelism is one.
      look: { at: Job/pi, as: controller-manager }
    - waitFor: { match: { kind: Job, metadata: { name: pi }, status: { succeeded: 1 } }, within: 10s }
      note: The first pod is done, and counted.
      look: Job/pi
      try:
        - { say: Its pod is deleted., delete: { kind: Pod, cel: self.status.phase == 'Succeeded' }, breaks: job/no-success-is-lost }
        - { say: Nobody is there to go on., fault: { crash: controller-manager }, after: 20s, then: { cel: object('Job/pi').status.succeeded == 1 } }
    - when: { revision: 1 }
      expect: { absent: Pod/nobody }
`;
