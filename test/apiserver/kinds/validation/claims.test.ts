/** What is valid of PersistentVolumeClaims. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { createDraft, finishDraft, hooksOf, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import type { ApiObject, FeatureGates, Kind } from '../../../../src/apiserver/machinery/index.ts';
import { decode } from '../../../../src/schema/shape/index.ts';
import { setup } from '../../handlers/setup.ts';
import { causesOf, check, NAME_PART, SUBDOMAIN } from './causes.ts';

describe('claims', () => {
  const claim = (spec: object): object => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'x' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2' } }, ...spec },
  });
  const source = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' };
  check([
    [
      'need access modes before all else',
      claim({ accessModes: [], selector: { matchLabels: { a: 'b c' } } }),
      [
        'spec.accessModes: Required value: at least 1 access mode is required',
        "spec.selector.matchLabels: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
    ],
    [
      'need known access modes after their selector',
      claim({ accessModes: ['Any'], selector: { matchLabels: { 'a b': 'c' } } }),
      [
        `spec.selector.matchLabels: Invalid value: "a b": ${NAME_PART}`,
        'spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"',
      ],
    ],
    ['request storage', claim({ resources: { requests: { memory: '1' } } }), ['spec.resources[storage]: Required value']],
    [
      'request some storage',
      claim({ resources: { requests: { storage: '0' } } }),
      ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
    ],
    [
      'request no less than some',
      claim({ resources: { requests: { storage: '-1' } } }),
      ['spec.resources[storage]: Invalid value: "-1": must be greater than zero'],
    ],
    [
      'have known classes and modes',
      claim({ storageClassName: 'S_', volumeMode: 'Raw' }),
      [
        `spec.storageClassName: Invalid value: "S_": ${SUBDOMAIN}`,
        'spec.volumeMode: Unsupported value: "Raw": supported values: "Block", "Filesystem"',
      ],
    ],
    ['may be of one source in both forms', claim({ dataSource: source, dataSourceRef: source }), []],
    ['may copy a claim', claim({ dataSource: { kind: 'PersistentVolumeClaim', name: 'y' } }), []],
    ['lose a source that cannot be one', claim({ dataSource: { apiGroup: '', kind: '', name: '' } }), []],
    [
      'name the claim that they copy',
      claim({ dataSource: { kind: 'PersistentVolumeClaim', name: '' } }),
      ['spec.dataSource.name: Required value', 'spec.dataSourceRef.name: Required value'],
    ],
    [
      'refer to a source of a group, or to a claim',
      claim({ dataSourceRef: { kind: 'Pod', name: 'p' } }),
      ['spec.dataSource: Invalid value: "Pod"', 'spec.dataSourceRef: Invalid value: "Pod"'],
    ],
    [
      'name a reference',
      claim({ dataSourceRef: { apiGroup: 'g', kind: '', name: '' } }),
      [
        'spec.dataSource.name: Required value',
        'spec.dataSource.kind: Required value',
        'spec.dataSourceRef.name: Required value',
        'spec.dataSourceRef.kind: Required value',
      ],
    ],
    [
      'have the same source in both forms',
      claim({ dataSource: source, dataSourceRef: { ...source, name: 't' } }),
      ['spec: Invalid value: field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}: must match dataSourceRef'],
    ],
    [
      'may be for one pod only behind a gate',
      claim({ accessModes: ['ReadWriteOncePod'] }),
      ['spec.accessModes: Unsupported value: "ReadWriteOncePod": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"'],
    ],
  ]);

  const copy = { apiGroup: null, kind: 'PersistentVolumeClaim', name: 'y' };
  const other = { apiGroup: 'g.io', kind: 'Other', name: 'o' };
  it.each<[given: object, aligned: object, kept: object, keptBoth: object]>([
    [{}, {}, {}, {}],
    [{ dataSource: source }, { dataSource: source, dataSourceRef: source }, { dataSource: source }, { dataSource: source }],
    [{ dataSource: copy }, { dataSource: copy, dataSourceRef: copy }, { dataSource: copy }, { dataSource: copy }],
    [{ dataSource: other }, {}, {}, { dataSource: other }],
    [{ dataSourceRef: copy }, { dataSource: copy, dataSourceRef: copy }, {}, { dataSourceRef: copy }],
    [{ dataSourceRef: other }, { dataSource: other, dataSourceRef: other }, {}, { dataSourceRef: other }],
    [
      { dataSource: copy, dataSourceRef: copy },
      { dataSource: copy, dataSourceRef: copy },
      { dataSource: copy },
      { dataSource: copy, dataSourceRef: copy },
    ],
  ])('of %j are aligned; without the gate only the older field stays, and what a stored claim has', (given, aligned, kept, keptBoth) => {
    const kind = kindsFor(namesFor('k8s.io')).byKind('PersistentVolumeClaim') as Kind;
    const object = (spec: object) => decode(kind.schema, claim(spec)) as ApiObject;
    const sources = (gates: FeatureGates, old?: ApiObject): object => {
      const draft = createDraft(object(given));
      const context = { names: namesFor('k8s.io'), gates, now: 0 };
      if (old === undefined) for (const hook of hooksOf(kind.prepareForCreate)) hook.run(draft, context);
      else for (const hook of hooksOf(kind.prepareForUpdate)) hook.run(draft, old, context);
      const { dataSource, dataSourceRef } = finishDraft(draft)['spec'] as Readonly<Record<string, unknown>>;
      return { ...(dataSource === undefined ? {} : { dataSource }), ...(dataSourceRef === undefined ? {} : { dataSourceRef }) };
    };
    const closed = { AnyVolumeDataSource: false };
    expect([sources({}), sources({ AnyVolumeDataSource: true }), sources(closed)]).toEqual([aligned, aligned, kept]);
    expect([sources(closed, object({})), sources(closed, object({ dataSource: copy, dataSourceRef: copy }))]).toEqual([kept, keptBoth]);
  });

  it('may be for one pod with the gate', () => {
    expect(causesOf(claim({ accessModes: ['ReadWriteOncePod'] }), setup('k8s.io', { ReadWriteOncePod: true }))).toEqual([]);
  });
});
