/** A scenario with so many pods at once, about 21 entries each, for measuring the cost of many pods. */
export const podGridOf = (pods: number, nodes = 4): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: crowd }
spec:
  title: A crowd
  cluster: { nodes: { count: ${nodes} }, podBehaviors: [{ runFor: 30s }] }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: crowd }, spec: { completions: ${pods}, parallelism: ${pods}, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
`;
