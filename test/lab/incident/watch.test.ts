/** Recorded watches as records: states that say who changed what. */
import { describe, expect, it } from 'vitest';
import { readWatches } from '../../../src/lab/incident/index.ts';
import { KINDS, START } from './log.ts';

const refOf = (apiVersion: string, kind: string) => {
  const found = KINDS.byKind(kind);
  return found === undefined || KINDS.apiVersionOf(found) !== apiVersion
    ? undefined
    : { group: KINDS.names.group(found.groupPrefix), version: found.version, resource: found.plural };
};
const secondsAt = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('.000', '');
const object = (kind: string, metadata: object, more: object = {}, apiVersion = 'v1'): object => ({
  apiVersion,
  kind,
  metadata: { name: 'a', namespace: 'default', uid: 'u', creationTimestamp: secondsAt(1), ...metadata },
  ...more,
});
const read = (...documents: readonly unknown[]) =>
  readWatches([{ file: 'w.json', text: documents.map((each) => JSON.stringify(each)).join('\n') }], refOf);
/** What a watch says, a line for each record. */
const said = (...documents: readonly unknown[]) =>
  read(...documents).records.map(({ at, verb, by, name, facts, body }) => [
    `${(at - START) / 1000} ${by?.name ?? 'client'} ${verb} ${name ?? ''}`,
    ...(body === undefined ? [] : [body]),
    ...(facts.size === 0 ? [] : [Object.fromEntries(facts)]),
  ]);
const OWNER = { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'r', controller: true }] };

describe('a watch', () => {
  it('distinguishes objects without a uid by namespace and name', () => {
    const map = (namespace: string, name: string, value?: string) =>
      object('ConfigMap', { uid: undefined, namespace, name }, value === undefined ? {} : { data: { value } });
    const lines = said(map('x', 'a'), map('x', 'b'), map('y', 'a'), map('x', 'b', 'new')).flatMap(([line]) =>
      String(line).includes('client') ? [line] : [],
    );
    expect(lines).toEqual(['1 client create a', '1 client create b', '1 client create a', '1 client update b']);
  });

  it('shows what clients want and what the cluster makes of it', () => {
    const web = (replicas: number, status: object, metadata: object = {}) =>
      object('Deployment', { labels: { a: 'b' }, ...metadata }, { spec: { replicas }, status }, 'apps/v1');
    expect(
      said(
        web(1, {}),
        { type: 'MODIFIED', object: web(1, { conditions: [{ type: 'Available', status: 'True', lastUpdateTime: secondsAt(3) }] }) },
        { type: 'MODIFIED', object: web(2, {}, { annotations: { 'deployment.kubernetes.io/revision': '1' } }) },
        {
          type: 'MODIFIED',
          object: web(2, {}, { annotations: { 'deployment.kubernetes.io/revision': '2', mine: 'x' }, resourceVersion: '9' }),
        },
        { type: 'BOOKMARK', object: web(9, {}) },
        { type: 'ERROR', object: { kind: 'Status' } },
        { type: 'DELETED', object: web(2, {}) },
      ),
    ).toEqual([
      [
        '1 client create a',
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          spec: { replicas: 1 },
          metadata: { namespace: 'default', name: 'a', labels: { a: 'b' } },
        },
      ],
      ['1 the cluster update a', { replicas: '1' }],
      ['3 the cluster update a', { replicas: '1', Available: 'True' }],
      [
        '3 client update a',
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          spec: { replicas: 2 },
          metadata: { namespace: 'default', name: 'a', labels: { a: 'b' } },
        },
      ],
      ['3 the cluster update a', { replicas: '2' }],
      [
        '3 client update a',
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          spec: { replicas: 2 },
          metadata: { namespace: 'default', name: 'a', labels: { a: 'b' }, annotations: { mine: 'x' } },
        },
      ],
      ['3 the cluster update a', { replicas: '2' }],
      ['3 client delete a', { replicas: '2' }],
      ['3 the cluster update a', { replicas: '2' }],
    ]);
  });

  it('shows the deletion of an object when it was asked for, once', () => {
    const pod = (metadata: object, phase: string) => object('Pod', metadata, { spec: { nodeName: 'n' }, status: { phase } });
    const dying = { deletionTimestamp: secondsAt(40), deletionGracePeriodSeconds: 30 };
    expect(said(pod({}, 'Running'), pod(dying, 'Running'), { type: 'DELETED', object: pod(dying, 'Succeeded') })).toEqual([
      ['1 client create a', { apiVersion: 'v1', kind: 'Pod', spec: {}, metadata: { namespace: 'default', name: 'a' } }],
      ['1 the cluster update a', { 'bound to': 'n', phase: 'Running' }],
      ['10 client delete a', { deleted: '', 'bound to': 'n', phase: 'Running' }],
      ['10 the cluster update a', { 'bound to': 'n', phase: 'Running' }],
      ['10 the cluster update a', { 'bound to': 'n', phase: 'Succeeded' }],
    ]);
    expect(said(pod(OWNER, 'Pending'), pod({ ...OWNER, deletionTimestamp: secondsAt(40) }, 'Running'))).toEqual([
      ['1 the cluster create a', { 'bound to': 'n', phase: 'Pending' }],
      ['1 the cluster update a', { 'bound to': 'n', phase: 'Pending' }],
      ['40 the cluster delete a', { deleted: '', 'bound to': 'n', phase: 'Running' }],
      ['40 the cluster update a', { 'bound to': 'n', phase: 'Running' }],
    ]);
  });

  it('shows jobs and pods as they were sent', () => {
    const job = object(
      'Job',
      { labels: { 'controller-uid': 'u', 'job-name': 'a', mine: 'x' } },
      {
        spec: {
          selector: { a: 1 },
          parallelism: 2,
          template: { metadata: { labels: { 'controller-uid': 'u', 'batch.kubernetes.io/job-name': 'a' } }, spec: { x: 1 } },
        },
      },
      'batch/v1',
    );
    const labelled = object(
      'Job',
      { uid: 'v', name: 'b' },
      { spec: { template: { metadata: { labels: { 'job-name': 'b', mine: 'y' } } } } },
      'batch/v1',
    );
    expect([said(job), said(labelled)]).toEqual([
      [
        [
          '1 client create a',
          {
            apiVersion: 'batch/v1',
            kind: 'Job',
            spec: { parallelism: 2, template: { spec: { x: 1 } } },
            metadata: { namespace: 'default', name: 'a', labels: { mine: 'x' } },
          },
        ],
        ['1 the cluster update a'],
      ],
      [
        [
          '1 client create b',
          {
            apiVersion: 'batch/v1',
            kind: 'Job',
            spec: { template: { metadata: { labels: { mine: 'y' } } } },
            metadata: { namespace: 'default', name: 'b' },
          },
        ],
        ['1 the cluster update b'],
      ],
    ]);
  });

  it('is in the order of the times of which the objects speak', () => {
    const at = (name: string, created: number, more: object = {}) =>
      object('ConfigMap', { name, uid: name, creationTimestamp: secondsAt(created), ...more });
    expect(said(at('a', 5), at('b', 3), at('c', 9), at('d', 1, { creationTimestamp: undefined })).map(([what]) => what)).toEqual([
      '5 client create a',
      '5 the cluster update a',
      '5 client create b',
      '5 the cluster update b',
      '9 client create c',
      '9 the cluster update c',
      '9 client create d',
      '9 the cluster update d',
    ]);
  });

  it('of several files is one, and each begins anew', () => {
    const file = (name: string, ...documents: readonly object[]) => ({
      file: name,
      text: documents.map((each) => JSON.stringify(each)).join('\n'),
    });
    const config = object('ConfigMap', {});
    const { records, events, problems } = readWatches(
      [file('a', config, config), file('b', object('ConfigMap', { creationTimestamp: secondsAt(0) }))],
      refOf,
    );
    expect([records.map(({ place, verb }) => `${place} ${verb}`), events, problems]).toEqual([
      ['b:1 create', 'b:1 update', 'a:1 create', 'a:1 update', 'a:2 update'],
      3,
      [],
    ]);
  });

  it('names what is no object, and skips kinds that are not known', () => {
    const { records, events, problems } = read(
      { a: 1 },
      { kind: 'Pod', metadata: {} },
      { type: 'ADDED', object: { apiVersion: 'v1' } },
      object('Widget', {}),
      object('Pod', {}, {}, 'v2'),
    );
    expect([records, events, problems]).toEqual([
      [],
      5,
      [
        { file: 'w.json', line: 1, col: 1, path: '', expected: 'an object, or an event of a watch', found: 'neither' },
        { file: 'w.json', line: 2, col: 1, path: '', expected: 'an object, or an event of a watch', found: 'neither' },
        { file: 'w.json', line: 3, col: 1, path: '', expected: 'an object, or an event of a watch', found: 'neither' },
      ],
    ]);
    expect(readWatches([{ file: 'x', text: '{"a": ' }], refOf)).toEqual({
      records: [],
      events: 0,
      problems: [
        {
          file: 'x',
          line: 1,
          col: 5,
          path: '',
          expected: 'the end of the JSON value that begins at line 1',
          found: 'the end of the file (is the dump cut?)',
        },
      ],
    });
  });

  it('has whole records', () => {
    const record = {
      at: START + 1000,
      time: '2024-03-01T00:00:01Z',
      place: 'w.json:1',
      ref: { group: '', version: 'v1', resource: 'pods', namespace: 'default', name: 'a' },
      code: 200,
      reason: '',
      message: '',
      user: 'a client',
      userAgent: '',
      isBare: false,
      name: 'a',
      identity: { namespace: 'default', name: 'a', owner: { kind: 'ReplicaSet', name: 'web' } },
      labels: { a: 'b' },
      facts: new Map([['phase', 'Running']]),
      exitCodes: [],
      by: { sort: 'cluster', name: 'the cluster' },
    };
    const { records } = read(object('Pod', { ...OWNER, labels: { a: 'b' } }, { status: { phase: 'Running' } }));
    expect(records).toEqual([
      { ...record, verb: 'create' },
      { ...record, verb: 'update' },
    ]);
  });
});
