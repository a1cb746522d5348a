/** A log as a scenario: which requests of clients become steps, and what they are about. */
import { expect, it } from 'vitest';
import { incidentIn, type Sent } from './log.ts';

/** The incident of the requests of one client about objects of a kind in the namespace default, a second apart. */
const incidentOfRequests = (kind: string, requests: readonly (Sent & { readonly name: string })[]) =>
  incidentIn(
    requests.map((sent) => ({ ...sent, answer: { apiVersion: 'v1', kind, metadata: { name: sent.name, namespace: 'default' } } })),
  );

const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1' } };
const verbs = ({ scenario }: ReturnType<typeof incidentOfRequests>) =>
  scenario.steps.map(({ timing, verb }) => `${timing.when === 'at' ? timing.atMs : '?'} ${verb}`);

it('what a client creates is there for its later requests', () => {
  const incident = incidentOfRequests('ConfigMap', [
    { of: 'configmaps', verb: 'create', name: 'a', code: 201, body: CONFIG },
    { of: 'configmaps', verb: 'patch', name: 'a', body: { data: { x: '2' } } },
    { of: 'configmaps', verb: 'delete', name: 'a' },
  ]);
  expect(verbs(incident)).toEqual(['1000 create', '2000 patch', '3000 delete']);
  expect(incident.leftOut).toEqual([]);
});

it('what a client did not create, or has deleted, is from before the log', () => {
  const incident = incidentOfRequests('ConfigMap', [
    { of: 'configmaps', verb: 'create', name: 'a', code: 201, body: CONFIG },
    { of: 'configmaps', verb: 'delete', name: 'a' },
    { of: 'configmaps', verb: 'delete', name: 'a' },
    { of: 'configmaps', verb: 'delete', name: 'b' },
  ]);
  expect(verbs(incident)).toEqual(['1000 create', '2000 delete']);
  expect(incident.leftOut).toEqual([
    {
      why: 'requests about objects from before the log',
      count: 2,
      first: ['audit.log:3: delete configmaps default/a by jane', 'audit.log:4: delete configmaps default/b by jane'],
    },
  ]);
});

it('what a client creates beneath an object is not a new object', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'c:1' }] } };
  const incident = incidentOfRequests('Pod', [
    { of: 'pods', verb: 'create', name: 'p', code: 201, body: pod },
    { of: 'pods/eviction', verb: 'create', name: 'p', code: 201, body: { apiVersion: 'policy/v1', kind: 'Eviction' } },
    { of: 'pods', verb: 'delete', name: 'p' },
  ]);
  expect(verbs(incident)).toEqual(['1000 create', '2000 evict']);
  expect(incident.leftOut).toMatchObject([{ why: 'requests about objects from before the log', count: 1 }]);
});
