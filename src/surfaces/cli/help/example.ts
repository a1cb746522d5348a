/** The scenario that the topics speak of. */
export const EXAMPLE_FILE = 'retry.yaml';

export const EXAMPLE = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: retry }
spec:
  title: A Job whose pods fail twice
  cluster:
    podBehaviors: [{ runFor: 1s, exitCodes: [1, 1, 0] }] # by attempt, the last repeats
  steps:
    - apply:
        apiVersion: batch/v1
        kind: Job
        metadata: { name: retry }
        spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } }
    - at: 2s
      fault: { crash: controller-manager, restartAfter: 10s }
    - when: settled
      note: Two pods failed, the third one did it.
      about: Job/retry
      claim: { cel: "objects('Pod').filter(p, p.status.phase == 'Failed').size() == 2" }
      expect: { match: { kind: Job, metadata: { name: retry }, status: { succeeded: 1, failed: 2 } } }
`;
