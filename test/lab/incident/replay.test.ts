/** A log as a scenario: which requests of clients become steps, and what they are about. */
import { expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { createLogReader, incidentOf } from '../../../src/lab/incident/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const KINDS = kindsFor(namesFor('k8s.io'));
const BASE = scenarioIn(`
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: incident }
spec: { domain: k8s.io, startTime: 2024-03-01T00:00:00Z, steps: [] }
`);

interface Sent {
  readonly verb: string;
  readonly name: string;
  readonly code?: number;
  readonly subresource?: string;
  readonly body?: object;
}

/** The incident of the requests of one client about objects of a kind in the namespace default, a second apart. */
function incidentOfRequests(resource: string, kind: string, requests: readonly Sent[]) {
  const reader = createLogReader((ref) => KINDS.byPlural(ref.group, ref.resource)?.kind);
  requests.forEach(({ verb, name, code = 200, subresource, body }, i) => {
    const time = `2024-03-01T00:00:0${i + 1}.000000Z`;
    const event = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: `id-${i}`,
      stage: 'ResponseComplete',
      requestURI: `/api/v1/namespaces/default/${resource}`,
      verb,
      user: { username: 'jane' },
      objectRef: { resource, namespace: 'default', name, apiVersion: 'v1', ...(subresource === undefined ? {} : { subresource }) },
      responseStatus: { code },
      requestObject: body,
      responseObject: { apiVersion: 'v1', kind, metadata: { name, namespace: 'default' } },
      requestReceivedTimestamp: time,
      stageTimestamp: time,
    };
    reader.line(JSON.stringify(event), 'audit.log', i + 1);
  });
  return incidentOf(reader.end(), BASE, KINDS, { withinMs: 10_000, secrets: false });
}

const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1' } };
const verbs = ({ scenario }: ReturnType<typeof incidentOfRequests>) =>
  scenario.steps.map(({ timing, verb }) => `${timing.when === 'at' ? timing.atMs : '?'} ${verb}`);

it('what a client creates is there for its later requests', () => {
  const incident = incidentOfRequests('configmaps', 'ConfigMap', [
    { verb: 'create', name: 'a', code: 201, body: CONFIG },
    { verb: 'patch', name: 'a', body: { data: { x: '2' } } },
    { verb: 'delete', name: 'a' },
  ]);
  expect(verbs(incident)).toEqual(['1000 create', '2000 patch', '3000 delete']);
  expect(incident.leftOut).toEqual([]);
});

it('what a client did not create, or has deleted, is from before the log', () => {
  const incident = incidentOfRequests('configmaps', 'ConfigMap', [
    { verb: 'create', name: 'a', code: 201, body: CONFIG },
    { verb: 'delete', name: 'a' },
    { verb: 'delete', name: 'a' },
    { verb: 'delete', name: 'b' },
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
  const incident = incidentOfRequests('pods', 'Pod', [
    { verb: 'create', name: 'p', code: 201, body: pod },
    { verb: 'create', name: 'p', code: 201, subresource: 'eviction', body: { apiVersion: 'policy/v1', kind: 'Eviction' } },
    { verb: 'delete', name: 'p' },
  ]);
  expect(verbs(incident)).toEqual(['1000 create', '2000 evict']);
  expect(incident.leftOut).toMatchObject([{ why: 'requests about objects from before the log', count: 1 }]);
});
