/** The order in which bindings are named when several allow a request: by name, regardless of their age. */
import { expect, it } from 'vitest';
import { decideAccess } from '../../../src/apiserver/access/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { setup } from '../handlers/setup.ts';

it('names the first binding that allows, cluster-wide ones before those of the namespace', () => {
  const { ok, store } = setup();
  const group = 'rbac.authorization.k8s.io';
  const make = (kind: string, name: string, rest: object, namespace?: string): void => {
    const body = { apiVersion: `${group}/v1`, kind, metadata: { name }, ...rest };
    ok({ verb: 'create', kind, body, ...(namespace === undefined ? {} : { namespace }) } as never);
  };
  make('ClusterRole', 'reader', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }] });
  make('ClusterRole', 'nothing', {});
  const giving = (name: string) => ({
    roleRef: { apiGroup: group, kind: 'ClusterRole', name },
    subjects: [{ apiGroup: group, kind: 'User', name: 'eve' }],
  });
  const reason = (): string =>
    decideAccess(store, namesFor('k8s.io'), {
      user: { name: 'eve', groups: [] },
      verb: 'list',
      group: '',
      resource: 'pods',
      namespace: 'default',
    }).reason;
  for (const name of ['zz', 'mm', 'aa']) make('RoleBinding', name, giving(name === 'aa' ? 'nothing' : 'reader'), 'default');
  expect(reason()).toContain('RoleBinding "mm/default"');
  for (const name of ['system:public-info-viewer', 'system:discovery']) make('ClusterRoleBinding', name, giving('reader'));
  expect(reason()).toContain('ClusterRoleBinding "system:discovery"');
});
