/** Scenarios that are quickly searched. */
export const QUIET = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: quiet }
spec:
  until: 5s
  cluster: { nodes: { count: 0 }, latency: { api: 2ms, watch: 1ms } }
  steps:
    - at: 1s
      apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: web }, data: { a: "1" } }
    - at: 4s
      expect: { match: { kind: ConfigMap, metadata: { name: web } } }
`;
/** Breaks if the controllers observe its namespace two seconds late. */
export const LATE = QUIET.replace('name: quiet', 'name: late').replace(
  'steps:',
  `invariants: [{ name: account-soon, foreach: Namespace, eventually: "objects('ServiceAccount', self.metadata.name).size() > 0", within: 900ms }]
  steps:
    - at: 500ms
      apply: { apiVersion: v1, kind: Namespace, metadata: { name: shop } }`,
);
