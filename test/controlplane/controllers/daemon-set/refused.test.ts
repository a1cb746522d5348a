/** What a DaemonSet does after a refused write and after a live read, and which changes concern it. */
import { describe, expect, it } from 'vitest';
import type { DaemonSet, Node, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { daemonSet } from '../../../../src/controlplane/controllers/daemon-set/controller.ts';
import { createPod, nodeOfPod } from '../../../../src/controlplane/controllers/daemon-set/pod.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { revisionOf } from '../../../../src/controlplane/shared/index.ts';
import { at, AT, barePod, nodeOf } from '../../../support/objects.ts';
import { enqueued, linesOf, recover, resume } from '../../../support/reconcile.ts';

const labels = { app: 'd' };
const templateOf = (image: string, more: object = {}) => ({ metadata: { labels }, spec: { containers: [{ name: 'c', image }], ...more } });
const set = (more: { meta?: object; spec?: object; status?: object } = {}): DaemonSet =>
  ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'd', namespace: 'default', uid: 'uid-d', resourceVersion: '1', generation: 1, creationTimestamp: AT, ...more.meta },
    spec: { selector: { matchLabels: labels }, updateStrategy: { type: 'OnDelete' }, template: templateOf('c:1'), ...more.spec },
    status: { collisionCount: 1, ...more.status },
  }) as unknown as DaemonSet;
const podOf = (name: string, meta: object = {}, status: object = {}): Pod =>
  barePod(name, 'Running', {
    meta: { labels, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'uid-d', controller: true }], ...meta },
    status,
  });
const created = (kind: string, name = 'x'): Write => ({
  op: 'create',
  object: { apiVersion: 'v1', kind, metadata: { name, namespace: 'default' } },
});
const deleted = (kind: string): Write => ({ op: 'delete', kind, name: 'gone', namespace: 'default' });
const status: Write = { op: 'update', subresource: 'status', object: { ...set(), status: { numberReady: 1 } } };

describe('a refused write', () => {
  interface Case {
    readonly write: Write;
    readonly reason?: string;
    readonly more?: object;
    readonly dropped?: readonly Write[];
    readonly gone?: true;
    readonly creates?: number;
  }
  const lines = ({ write, reason = 'Forbidden', more = {}, dropped = [], gone, creates }: Case) =>
    linesOf(
      recover(
        daemonSet,
        { objects: gone ? [] : [set()], key: 'default/d', memory: creates === undefined ? undefined : { creates, retried: 'x' } },
        { write, status: { reason, message: 'no', ...more } as never, dropped },
      ),
    );
  const batch = [created('Pod', 'b'), created('Pod', 'c'), created('Pod', 'd'), deleted('Pod'), deleted('ControllerRevision'), status];

  it.each<[string, Case, readonly string[]]>([
    [
      'of a pod is an event; the rest of its batch is written, and deletions, but no status',
      { write: created('Pod', 'a'), dropped: batch, creates: 5 },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of DaemonSet d: Error creating: no',
        'create Pod b',
        'delete Pod gone',
        'memory: {creates:3,retried:x}',
        'backoff: retry',
      ],
    ],
    [
      'of the only pod is an event',
      { write: created('Pod', 'a') },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of DaemonSet d: Error creating: no',
        'memory: {creates:1}',
        'backoff: retry',
      ],
    ],
    [
      'of a deletion is an event',
      { write: deleted('Pod'), dropped: batch },
      [
        'a pod could not be deleted (Forbidden)',
        'event Warning FailedDelete of DaemonSet d: Error deleting: no',
        'delete Pod gone',
        'memory: {creates:1}',
        'backoff: retry',
      ],
    ],
    [
      'in a namespace that is being deleted ends the creations',
      { write: created('Pod'), dropped: batch, more: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } },
      [
        'its namespace is being deleted, so no pod can be created',
        'delete Pod gone',
        'delete ControllerRevision gone',
        'update DaemonSet/status d {status:{numberReady:1}}',
      ],
    ],
    [
      'of a deletion in such a namespace does not',
      { write: deleted('Pod'), more: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } },
      [
        'a pod could not be deleted (Forbidden)',
        'event Warning FailedDelete of DaemonSet d: Error deleting: no',
        'memory: {creates:1}',
        'backoff: retry',
      ],
    ],
    [
      'of a revision whose name is taken reads it',
      { write: created('ControllerRevision', 'd-1'), reason: 'AlreadyExists' },
      ['revision d-1 exists already: read it from the API server to compare', 'get ControllerRevision d-1 {resume:true}'],
    ],
    ['of a revision for another reason is left to the back-off', { write: created('ControllerRevision') }, []],
    [
      'of a pod whose name is taken is an event',
      { write: created('Pod'), reason: 'AlreadyExists' },
      [
        'a pod could not be created (AlreadyExists), so no larger batch is tried',
        'event Warning FailedCreate of DaemonSet d: Error creating: no',
        'memory: {creates:1}',
        'backoff: retry',
      ],
    ],
    [
      'of a status reads the set',
      { write: status, dropped: [deleted('ControllerRevision')] },
      [
        'its status update was refused: read it from the API server',
        'delete ControllerRevision gone',
        'get DaemonSet d {resume:true}',
        'memory: {retried:{numberReady:1}}',
      ],
    ],
    ['of another deletion is left to the back-off', { write: deleted('ControllerRevision') }, []],
    ['of a set that is gone is left', { write: created('Pod'), gone: true }, []],
  ])('%s', (_, given, expected) => {
    expect(lines(given)).toEqual(expected);
  });
});

describe('a live read', () => {
  const read = (kind: string, name: string): Write => ({ op: 'get', kind, name, namespace: 'default' });
  const after = (write: Write, object: object | undefined, memory?: object, objects = [set()]) =>
    linesOf(resume(daemonSet, { objects, key: 'default/d', now: at(60), memory }, { write, object: object as never }));
  const revision = (image: string) => ({
    ...revisionOf(set({ spec: { template: templateOf(image) } }), 'd-1', { 'controller-revision-hash': 'h' }, 1),
    kind: 'ControllerRevision',
  });

  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'of its revision goes on with that',
      () => after(read('ControllerRevision', 'd-1'), revision('c:1')),
      [
        '0 of 0 nodes have a pod, 0 ready: nothing to do',
        'update DaemonSet/status d {status:{collisionCount:1,currentNumberScheduled:0,numberMisscheduled:0,desiredNumberScheduled:0,numberReady:0,observedGeneration:1}}',
        'memory: null',
        'enqueue: []',
      ],
    ],
    [
      'of a revision of another template reads the set',
      () => after(read('ControllerRevision', 'd-1'), revision('c:2')),
      ['d-1 holds another template: read status.collisionCount from the API server', 'get DaemonSet d {resume:true}'],
    ],
    [
      'of a revision that is gone tries again',
      () => after(read('ControllerRevision', 'd-1'), undefined),
      ['the revision has been deleted since', 'backoff: retry'],
    ],
    [
      'of the set counts the collision',
      () => after(read('DaemonSet', 'd'), set()),
      [
        'increase status.collisionCount, which changes the name, and retry',
        'update DaemonSet/status d {status:{collisionCount:2}}',
        'backoff: retry',
      ],
    ],
    [
      'of the set with another count tries again',
      () => after(read('DaemonSet', 'd'), set({ status: { collisionCount: 2 } })),
      ['the cached status.collisionCount is stale: retry', 'backoff: retry'],
    ],
    [
      'of a set without a count begins at one',
      () =>
        after(read('DaemonSet', 'd'), set({ status: { collisionCount: undefined } }), undefined, [
          set({ status: { collisionCount: undefined } }),
        ]),
      [
        'increase status.collisionCount, which changes the name, and retry',
        'update DaemonSet/status d {status:{collisionCount:1}}',
        'backoff: retry',
      ],
    ],
    [
      'of the set for its status writes it again',
      () => after(read('DaemonSet', 'd'), set({ status: { numberReady: 0 } }), { retried: { numberReady: 1 } }),
      ['its status update is retried on the latest version', 'update DaemonSet/status d {status:{numberReady:1}}'],
    ],
    ['is in vain where the set is gone', () => after(read('DaemonSet', 'd'), set(), undefined, []), ['it is gone']],
  ])('%s', (_, lines, expected) => {
    expect(lines()).toEqual(expected);
  });
});

describe('a change', () => {
  const sets = [
    set(),
    set({ meta: { name: 'slow', uid: 'uid-slow' }, spec: { minReadySeconds: 30 } }),
    set({ meta: { name: 'else', uid: 'uid-else' }, spec: { template: templateOf('c:1', { nodeSelector: { disk: 'ssd' } }) } }),
  ];
  const keys = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Pod | Node, old?: Pod | Node) =>
    enqueued(daemonSet, { objects: sets }, { type, object, ...(old === undefined ? {} : { old }) });
  const ready = { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: AT }] };
  const slow = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'slow', uid: 'uid-slow', controller: true }] };
  const disk = (name?: string): Node => ({
    ...nodeOf('n'),
    metadata: { ...nodeOf('n').metadata, labels: name === undefined ? {} : { disk: name } },
  });

  it('of a pod concerns its set, again when it has been ready for long enough', () => {
    expect(keys('MODIFIED', podOf('p'), podOf('p'))).toEqual(['default/d']);
    expect(keys('MODIFIED', podOf('p', {}, ready), podOf('p'))).toEqual(['default/d']);
    expect(keys('MODIFIED', podOf('p', slow, ready), podOf('p', slow, { conditions: [] }))).toEqual([
      'default/slow',
      { key: 'default/slow', afterMs: 31_000 },
    ]);
    expect(keys('MODIFIED', podOf('p', slow, ready), podOf('p', slow, ready))).toEqual(['default/slow']);
    expect(keys('ADDED', podOf('p', slow, ready))).toEqual(['default/slow']);
    expect(keys('ADDED', podOf('p', { ownerReferences: [] }))).toEqual(['default/d', 'default/slow', 'default/else']);
  });

  it('of a node concerns the sets that it fits now, or did before', () => {
    expect([keys('ADDED', disk()), keys('ADDED', disk('ssd')), keys('DELETED', disk())]).toEqual([
      ['default/d', 'default/slow'],
      ['default/d', 'default/slow', 'default/else'],
      [],
    ]);
    expect([keys('MODIFIED', disk('ssd'), disk()), keys('MODIFIED', disk(), disk('ssd')), keys('MODIFIED', disk('hdd'), disk())]).toEqual([
      ['default/else'],
      ['default/else'],
      [],
    ]);
  });
});

describe('a pod of a set', () => {
  const names = namesFor('k8s.io');
  const made = (self: DaemonSet, hash = 'h') => (createPod(self, hash, 'n', names) as unknown as { readonly object: Pod }).object;

  it('has the generation of its template as a label, where the set has it', () => {
    const self = set({ meta: { annotations: { 'deprecated.daemonset.template.generation': '4' } } });
    expect(made(self).metadata.labels).toEqual({ ...labels, 'pod-template-generation': '4', 'controller-revision-hash': 'h' });
    const { template } = self.spec;
    expect(made(set({ spec: { template } })).metadata.labels).toEqual({ ...labels, 'controller-revision-hash': 'h' });
    expect(made(set({ spec: { template } }), 'i').metadata.labels).toEqual({ ...labels, 'controller-revision-hash': 'i' });
    expect(made(set({ meta: { uid: 'another' }, spec: { template } }), 'i').metadata.ownerReferences?.[0]?.uid).toBe('another');
  });

  it('keeps the affinity of its template, except for nodes', () => {
    const podAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [] };
    const preferred = { preferredDuringSchedulingIgnoredDuringExecution: [] };
    const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [] }] } };
    const template = templateOf('c:1', { affinity: { podAffinity, nodeAffinity: { ...preferred, ...required } } });
    expect(made(set({ spec: { template } })).spec.affinity).toEqual({
      podAffinity,
      nodeAffinity: {
        ...preferred,
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }],
        },
      },
    });
  });

  it('is on the node that it is bound to, or was created for', () => {
    const term = (fields: object) => ({
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}, { matchFields: [fields] }] } },
    });
    const on = (spec: object) => nodeOfPod(barePod('p', 'Pending', { spec: { nodeName: undefined, ...spec } }));
    const named = { key: 'metadata.name', operator: 'In', values: ['n'] };
    expect([
      on({ nodeName: 'm', affinity: term(named) }),
      on({ nodeName: '', affinity: term(named) }),
      on({ affinity: term(named) }),
    ]).toEqual(['m', 'n', 'n']);
    expect([
      on({}),
      on({ affinity: {} }),
      on({ affinity: { nodeAffinity: {} } }),
      on({ affinity: term({ ...named, key: 'other' }) }),
    ]).toEqual([undefined, undefined, undefined, undefined]);
    expect([
      on({ affinity: term({ ...named, operator: 'NotIn' }) }),
      on({ affinity: term({ ...named, values: ['n', 'm'] }) }),
      on({ affinity: term({ ...named, values: undefined }) }),
    ]).toEqual([undefined, undefined, undefined]);
  });
});
