/** Who made the requests of a log, and as whom a process of a run would make them. */
import { expect, it } from 'vitest';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { componentOf, identityOf } from '../../../src/lab/incident/authors.ts';

it('components are recognised by their users', () => {
  const of = (user: string, userAgent = '') => componentOf(user, userAgent);
  expect(of('system:apiserver')).toEqual({ sort: 'server', name: 'system:apiserver' });
  expect(of('system:node:n1')).toEqual({ sort: 'node', name: 'agent/n1', node: 'n1' });
  expect(of('system:kube-scheduler')).toEqual({ sort: 'scheduler', name: 'scheduler' });
  expect(of('system:orch-scheduler')).toEqual({ sort: 'scheduler', name: 'scheduler' });
  expect(of('system:serviceaccount:kube-system:job-controller')).toEqual({ sort: 'controller', name: 'job-controller' });
  expect(of('system:serviceaccount:orch-system:ttl-controller')).toEqual({ sort: 'controller', name: 'ttl-controller' });
});

it('controllers without credentials of their own are recognised by the program', () => {
  const of = (userAgent: string) => componentOf('system:kube-controller-manager', userAgent);
  const account = 'system:serviceaccount:kube-system:job-controller';
  expect(of(`kube-controller-manager/v1.24/${account}`)).toEqual({ sort: 'controller', name: 'job-controller' });
  expect(of(account)).toEqual({ sort: 'controller', name: 'job-controller' });
  expect(of(`${account}/v1.24`)).toEqual({ sort: 'controller', name: 'controller-manager' });
  expect(of('')).toEqual({ sort: 'controller', name: 'controller-manager' });
});

it('other users are clients', () => {
  const others = [
    'jane',
    'system:admin',
    'system:node:',
    'xsystem:node:a',
    'system:kube-proxy',
    'system:kube-scheduler2',
    'system:serviceaccount:kube-system:coredns',
  ];
  for (const user of [
    ...others,
    'system:serviceaccount:default:job-controller',
    'xsystem:kube-scheduler',
    'system:serviceaccount:kube-system:',
  ])
    expect(componentOf(user, '')).toBeUndefined();
});

/** The controllers of v1.24's controller_policy.go, by the names here. */
const ACCOUNTS = {
  job: 'job-controller',
  'job-ttl': 'ttl-after-finished-controller',
  'cron-job': 'cronjob-controller',
  deployment: 'deployment-controller',
  'replica-set': 'replicaset-controller',
  'stateful-set': 'statefulset-controller',
  'daemon-set': 'daemon-set-controller',
  endpoints: 'endpoint-controller',
  'endpoint-slice': 'endpointslice-controller',
  'garbage-collector': 'generic-garbage-collector',
  'taint-eviction': 'node-controller',
  'volume-binder': 'persistent-volume-binder',
  'claim-protection': 'pvc-protection-controller',
};

it('processes of a run have the users that they would have', () => {
  const [k8s, orch] = [namesFor('k8s.io'), namesFor('orch.io')];
  const groups = ['system:authenticated'];
  const account = (namespace: string, name: string) => ({
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  });
  const server = { username: 'system:apiserver', groups: ['system:masters'] };
  expect([identityOf('server', undefined, 'Pod', k8s), identityOf('api-server', 'x', 'Pod', k8s)]).toEqual([server, server]);
  expect(identityOf('agent/n1', 'node-agent', 'Pod', k8s)).toEqual({
    username: 'system:node:n1',
    groups: ['system:nodes', 'system:authenticated'],
  });
  expect(identityOf('user', undefined, 'Pod', k8s)).toBeUndefined();
  for (const [controller, name] of Object.entries(ACCOUNTS))
    expect(identityOf('manager', controller, 'Pod', k8s)).toEqual(account('kube-system', name));
  expect(identityOf('manager', 'job', 'Lease', orch)).toEqual(account('orch-system', 'job-controller'));
  expect(identityOf('scheduler', 'scheduler', 'Pod', k8s)).toEqual({ username: 'system:kube-scheduler', groups });
  expect(identityOf('scheduler-2', 'leader-election', 'Lease', orch)).toEqual({ username: 'system:orch-scheduler', groups });
  expect(identityOf('controller-manager', 'leader-election', 'Lease', k8s)).toEqual({ username: 'system:kube-controller-manager', groups });
  expect(identityOf('my-operator', 'my-controller', 'Pod', k8s)).toEqual(account('default', 'my-controller'));
  expect(identityOf('storage-driver/d', 'attacher', 'Pod', k8s)).toEqual(account('default', 'd'));
});
