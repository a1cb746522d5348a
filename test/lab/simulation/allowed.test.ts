import { expect, it } from 'vitest';
import { runScenario } from '../../support/scenarios.ts';

const text = (is: boolean): string => `
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: who-may }
spec:
  title: Who may read Jobs
  steps:
    - apply:
        - { apiVersion: rbac.authorization.orch.io/v1, kind: Role, metadata: { name: reader }, rules: [{ apiGroups: [batch], resources: [jobs], verbs: [get] }] }
        - { apiVersion: rbac.authorization.orch.io/v1, kind: RoleBinding, metadata: { name: reads }, roleRef: { apiGroup: rbac.authorization.orch.io, kind: Role, name: reader }, subjects: [{ kind: User, name: jane }] }
    - expect:
        - allowed: { user: jane, verb: get, resource: jobs, namespace: default, is: ${is} }
        - allowed: { user: jane, verb: delete, resource: jobs, namespace: default, is: false }
        - allowed: { user: joe, verb: get, resource: jobs, namespace: default, is: false }
        - allowed: { user: jane, verb: get, path: /healthz, is: false }
`;

function run(is: boolean) {
  return runScenario(text(is));
}

it('scenarios check which user is allowed what', () => {
  expect(run(true).failures).toEqual([]);
  expect(run(false).failures).toMatchObject([
    {
      message: 'expected that jane may not get jobs in default',
      detail: ['  RBAC: allowed by RoleBinding "reads/default" of Role "reader" to User "jane"'],
    },
  ]);
});
