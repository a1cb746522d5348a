/** Examples of the reference: scenarios for a single field. */
export const small = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: smallest }
spec: { steps: [{ fault: { nodeDown: node-0 } }] }
---
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: small }
spec:
  until: 1m
  cluster: { storageDrivers: [{ name: disks.example }], podBehaviors: [{ runFor: 5s }] }
  invariants: [job/*, "!job/finished-is-final"]
  steps:
    - expectError: { delete: Pod/nobody, code: 404 }
      expect: { absent: Pod/nobody }
`;
