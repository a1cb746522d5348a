/** Events of containers: what the agent did, in order; none unless they are enabled. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

interface EventLike {
  readonly involvedObject: { readonly kind: string; readonly fieldPath?: string };
  readonly reason: string;
  readonly message: string;
  readonly type: string;
  readonly count?: number;
  readonly source: { readonly component?: string; readonly host?: string };
}

/** The events of the pod `web`, `reason message`, with a count above one. */
function reported(
  pod: string,
  more = '',
  cluster = 'podEvents: true',
): { readonly lines: readonly string[]; readonly events: readonly EventLike[] } {
  const { cluster: ran } = simulate(
    scenarioIn(`
apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: events }
spec:
  title: Events
  domain: k8s.io
  until: 60s
  cluster: { nodes: { count: 1 }, ${cluster} }
  steps:
    - apply: { apiVersion: v1, kind: Pod, metadata: { name: web, ${pod} } }
${more}`),
  );
  const events = [...ran.store.values('Event')]
    .map((object) => object as unknown as EventLike)
    .filter(({ involvedObject, source }) => involvedObject.kind === 'Pod' && source.component === 'kubelet');
  return { events, lines: events.map(({ reason, message, count = 1 }) => `${reason} ${message}${count > 1 ? ` x${count}` : ''}`) };
}

const CONTAINERS = 'containers: [{ name: a, image: "a:1" }, { name: b, image: b }]';
const BEGUN = [
  'Pulled Container image "a:1" already present on machine',
  'Pulling Pulling image "b"',
  'Pulled Successfully pulled image "b" in 0s',
  'Created Created container a',
  'Started Started container a',
  'Created Created container b',
  'Started Started container b',
];

describe('events of containers', () => {
  it('report pulls, creations and starts, with the agent and its node', () => {
    const { lines, events } = reported(`}, spec: { ${CONTAINERS} `);
    expect(lines).toEqual(BEGUN);
    expect(events.every(({ source, type }) => source.host === 'node-0' && type === 'Normal')).toBe(true);
    expect(events.map(({ involvedObject }) => involvedObject.fieldPath)).toContain('spec.containers{b}');
  });

  it('report stops', () => {
    expect(reported(`}, spec: { ${CONTAINERS} `, '    - { at: 10s, delete: Pod/web }\n').lines).toEqual([
      ...BEGUN,
      'Killing Stopping container a',
      'Killing Stopping container b',
    ]);
  });

  it('count restarts, and warn of back-off', () => {
    const failing =
      'annotations: { sim.orch.io/exit-after: "1", sim.orch.io/exit-code: "1" } }, spec: { restartPolicy: OnFailure, containers: [{ name: c, image: "c:1" }] ';
    const { lines, events } = reported(failing);
    expect(lines).toEqual([
      'Pulled Container image "c:1" already present on machine x4',
      'Created Created container c x4',
      'Started Started container c x4',
      'BackOff Back-off restarting failed container x3',
    ]);
    expect(events.filter(({ type }) => type === 'Warning').map(({ reason }) => reason)).toEqual(['BackOff']);
  });

  it('begin with the init containers', () => {
    const { lines } = reported('}, spec: { initContainers: [{ name: first, image: "f:1" }], containers: [{ name: c, image: "c:1" }] ');
    expect(lines.map((line) => line.split(' ').slice(0, 4).join(' '))).toEqual([
      'Pulled Container image "f:1"',
      'Created Created container first',
      'Started Started container first',
      'Pulled Container image "c:1"',
      'Created Created container c',
      'Started Started container c',
    ]);
  });

  it('are enabled by a step that expects one, unless the scenario disables them', () => {
    const expecting = '    - { when: settled, expect: [{ match: { kind: Event, metadata: { namespace: default }, reason: Started } }] }\n';
    expect(reported(`}, spec: { ${CONTAINERS} `, expecting, 'latency: {}').lines).toEqual(BEGUN);
    expect(reported(`}, spec: { ${CONTAINERS} `, expecting, 'podEvents: false').lines).toEqual([]);
  });

  it('are disabled by default', () => {
    expect(reported(`}, spec: { ${CONTAINERS} `, '', 'latency: {}').lines).toEqual([]);
  });
});
