/** The comparable objects of a recording: those that the recorder of the case could observe. */
import { describe, expect, it } from 'vitest';
import { elections, viewOf, type RecordedCase, type TraceLine, type TracedObject } from '../index.ts';

const line = (kind: string, name: string, more: Partial<TracedObject> = {}, type = 'ADDED', t = 1): TraceLine => ({
  t,
  type,
  object: { ...more, kind, metadata: { name, namespace: 'ns', ...more.metadata } },
});
const recorded = (trace: readonly TraceLine[], more: Partial<RecordedCase['actions']> = {}): RecordedCase => ({
  name: 'case',
  actions: { namespace: 'ns', durationSeconds: 9, actions: [], ...more },
  trace,
});
const shown = (of: RecordedCase, lines: readonly TraceLine[]): readonly string[] =>
  viewOf(of)(lines).map(({ type, object: { kind, metadata } }) => `${type} ${kind ?? ''} ${metadata?.name ?? ''}`);
const created = (kind: string, code = 201): RecordedCase['actions']['actions'][number] => ({
  t: 0,
  method: 'POST',
  path: '/x',
  code,
  body: { kind },
});

describe('kinds', () => {
  const run = [line('Service', 's'), line('Endpoints', 's'), line('EndpointSlice', 's-1'), line('Pod', 'p')];

  it('that the recorder did not watch are left out, with their companions', () => {
    expect(shown(recorded([line('Pod', 'p')], { actions: [created('Service')] }), run)).toEqual(['ADDED Pod p']);
  });

  it('that it watched, never created or that were refused are compared', () => {
    expect(shown(recorded([line('Service', 's')], { actions: [created('Service')] }), run)).toHaveLength(4);
    expect(shown(recorded([]), run)).toHaveLength(4);
    expect(shown(recorded([], { actions: [created('Service', 422)] }), run)).toHaveLength(4);
  });

  it('are unseen too when claims are bound to them', () => {
    const bound = line('PersistentVolumeClaim', 'c', { spec: { volumeName: 'v' } });
    expect(shown(recorded([bound]), [bound, line('PersistentVolume', 'v'), line('VolumeAttachment', 't')])).toEqual([
      'ADDED PersistentVolumeClaim c',
    ]);
  });
});

describe('volumes', () => {
  const volume = (name: string, namespace: string, type = 'ADDED'): TraceLine =>
    line('PersistentVolume', name, { spec: { claimRef: { namespace, name: 'c' } } }, type);

  it('of other cases are left out with their attachments', () => {
    const trace = [
      volume('ours', 'ns'),
      volume('ours-too', 'ns-t'),
      volume('theirs', 'case-b'),
      line('VolumeAttachment', 't', { spec: { source: { persistentVolumeName: 'theirs' } } }),
      line('VolumeAttachment', 'o', { spec: { source: { persistentVolumeName: 'ours' } } }),
    ];
    expect(shown(recorded(trace), trace)).toEqual([
      'ADDED PersistentVolume ours',
      'ADDED PersistentVolume ours-too',
      'ADDED VolumeAttachment o',
    ]);
  });

  it('whose claims are deleted count only if the build released them like upstream', () => {
    const trace = [
      volume('v', 'ns'),
      line('PersistentVolumeClaim', 'c', {}, 'DELETED'),
      volume('v', 'ns', 'MODIFIED'),
      volume('v', 'ns', 'DELETED'),
    ];
    expect(shown(recorded(trace), trace)).toEqual(['ADDED PersistentVolume v', 'DELETED PersistentVolumeClaim c']);
    expect(shown(recorded(trace, { kcm: 'OpenShift carry patch (21 s delay in deleteClaim) reverted' }), trace)).toHaveLength(4);
  });
});

it('names too long for a dash before their random suffix get one in event messages', () => {
  const long = `${'n'.repeat(58)}x2x2x`;
  const lines = [
    line('Pod', long, { metadata: { name: long, generateName: `${'n'.repeat(63)}-` } }),
    line('Pod', 'a-x2x2x', { metadata: { name: 'a-x2x2x', generateName: 'a-' } }),
    line('Event', 'e', { message: `Created pod: ${long}` }),
    line('Event', 'f', { message: 'Created pod: a-x2x2x' }),
  ];
  expect(viewOf(recorded(lines))(lines).flatMap(({ object: { message = [] } }) => message)).toEqual([
    `Created pod: ${'n'.repeat(58)}-x2x2x`,
    'Created pod: a-x2x2x',
  ]);
});

it('an election has acquisitions and releases, not renewals', () => {
  const lease = (
    t: number,
    holderIdentity: string,
    acquireTime: string,
    renewTime: string,
    leaseTransitions: number,
    namespace = 'kube-system',
  ): TraceLine =>
    line(
      'Lease',
      'l',
      { metadata: { name: 'l', namespace }, spec: { holderIdentity, acquireTime, renewTime, leaseTransitions } },
      t === 0 ? 'ADDED' : 'MODIFIED',
      t,
    );
  const lines = [
    lease(0, 'a', '1', '1', 0),
    lease(2, 'a', '1', '3', 0),
    lease(20, 'b', '21', '21', 1),
    lease(22, 'b', '21', '23', 1),
    lease(30, '', '31', '31', 1),
    lease(31, 'c', '32', '32', 2),
    lease(32, 'n', '33', '33', 5, 'kube-node-lease'),
  ];
  expect(elections(lines)).toEqual([
    { t: 20, what: 'Lease l is acquired, transition 1' },
    { t: 30, what: 'Lease l is released' },
    { t: 31, what: 'Lease l is acquired, transition 2' },
  ]);
});
