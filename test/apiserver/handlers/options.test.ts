/** Options of writes and deletions: which are valid, and what a deletion leaves of an object. */
import { describe, expect, it } from 'vitest';
import { deleteOptionsOf } from '../../../src/apiserver/handlers/index.ts';
import { envelopeOf, type ApiRequest } from '../../../src/apiserver/request/index.ts';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { setup, type Setup } from './setup.ts';

const MAPS = { kind: 'ConfigMap', namespace: 'default', name: 'm' } as const;
const map = (metadata: object = {}) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', ...metadata } }) as never;
const answered = ({ server }: Setup, request: ApiRequest) => server.handle(envelopeOf('client', request));
const messageOf = (world: Setup, request: ApiRequest): unknown => {
  const response = answered(world, request);
  return response.ok ? undefined : `${response.code} ${response.status.message ?? ''}`;
};

describe('the options of a write', () => {
  const long = (bytes: number): string => 'é'.repeat(bytes / 2);
  const DRY = 'supported values: "All"';
  it.each<[object, string | undefined]>([
    [{ dryRun: ['All'] }, undefined],
    [{ dryRun: ['All', 'All'] }, undefined],
    [{ dryRun: [] }, undefined],
    [{ dryRun: ['all'] }, `dryRun: Unsupported value: []string{"all"}: ${DRY}`],
    [{ dryRun: ['All', 'x'] }, `dryRun: Unsupported value: []string{"All", "x"}: ${DRY}`],
    [{ fieldManager: '' }, undefined],
    [{ fieldManager: 'é-1 $' }, undefined],
    [{ fieldManager: long(128) }, undefined],
    [{ fieldManager: `${long(128)}x` }, 'fieldManager: Too long: must have at most 128 bytes'],
    [{ fieldManager: 'é\u0001' }, String.raw`fieldManager: Invalid value: "é\x01": invalid character U+0001 (at position 2)`],
    [{ fieldManager: 'a\u2028' }, String.raw`fieldManager: Invalid value: "a\u2028": invalid character U+2028 (at position 1)`],
    [{ fieldValidation: '' }, undefined],
    [{ fieldValidation: 'Ignore' }, undefined],
    [{ fieldValidation: 'Strict' }, undefined],
    [{ fieldValidation: 'Warn' }, undefined],
    [{ fieldValidation: 'X' }, 'fieldValidation: Unsupported value: "X": supported values: "", "Ignore", "Strict", "Warn"'],
    [
      { fieldManager: '\n', dryRun: ['x'], fieldValidation: 'X' },
      String.raw`[fieldManager: Invalid value: "\n": invalid character U+000A (at position 0), dryRun: Unsupported value: []string{"x"}: ${DRY}, fieldValidation: Unsupported value: "X": supported values: "", "Ignore", "Strict", "Warn"]`,
    ],
  ])('%j are judged, for each verb', (options, expected) => {
    const world = setup();
    world.ok({ ...MAPS, verb: 'create', body: map() });
    const invalid = (kind: string) => (expected === undefined ? undefined : `422 ${kind}.meta.k8s.io "" is invalid: ${expected}`);
    expect(messageOf(world, { ...MAPS, verb: 'create', body: map({ name: 'other' }), ...options })).toBe(invalid('CreateOptions'));
    expect(messageOf(world, { ...MAPS, verb: 'update', body: map(), ...options })).toBe(invalid('UpdateOptions'));
    expect(messageOf(world, { ...MAPS, verb: 'patch', patchType: 'merge', body: {}, ...options })).toBe(invalid('PatchOptions'));
  });

  it('of a patch have a force and a manager where it is applied', () => {
    const world = setup();
    world.ok({ ...MAPS, verb: 'create', body: map() });
    const patch = (patchType: 'merge' | 'apply', options: object): unknown =>
      messageOf(world, { ...MAPS, verb: 'patch', patchType, body: map(), ...options });
    const invalid = (text: string) => `422 PatchOptions.meta.k8s.io "" is invalid: ${text}`;
    expect([
      patch('merge', { force: true }),
      patch('merge', { force: false }),
      patch('merge', {}),
      patch('apply', {}),
      patch('apply', { fieldManager: '' }),
      patch('apply', { fieldManager: 'm' }),
      patch('apply', { fieldManager: 'm', force: true }),
      patch('apply', { force: true, dryRun: ['x'] }),
    ]).toEqual([
      invalid('force: Forbidden: may not be specified for non-apply patch'),
      invalid('force: Forbidden: may not be specified for non-apply patch'),
      undefined,
      invalid('fieldManager: Required value: is required for apply patch'),
      invalid('fieldManager: Required value: is required for apply patch'),
      undefined,
      undefined,
      invalid(`[fieldManager: Required value: is required for apply patch, dryRun: Unsupported value: []string{"x"}: ${DRY}]`),
    ]);
  });
});

describe('a deletion', () => {
  const [ORPHAN, FOREGROUND, OTHER] = ['orphan', 'foregroundDeletion', 'example.com/f'];
  const deleting = (options: object = {}): ApiRequest => ({ ...MAPS, verb: 'delete', ...options });
  const after = (finalizers: readonly string[], options: object, kind: 'ConfigMap' | 'Job' = 'ConfigMap') => {
    const world = setup();
    const spec =
      kind === 'Job' ? { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } } : {};
    const body = { apiVersion: kind === 'Job' ? 'batch/v1' : 'v1', kind, metadata: { name: 'm', finalizers }, ...spec };
    world.ok({ ...MAPS, kind, verb: 'create', body: body });
    answered(world, { ...deleting(options), kind });
    const left = world.store.get(kind, 'default/m');
    return left === undefined ? 'gone' : left.metadata.finalizers;
  };

  it.each<[readonly string[], object, unknown]>([
    [[], {}, 'gone'],
    [[], { propagationPolicy: 'Background' }, 'gone'],
    [[], { propagationPolicy: 'Foreground' }, [FOREGROUND]],
    [[], { propagationPolicy: 'Orphan' }, [ORPHAN]],
    [[], { orphanDependents: true }, [ORPHAN]],
    [[], { orphanDependents: false }, 'gone'],
    [[OTHER], {}, [OTHER]],
    [[OTHER], { propagationPolicy: 'Foreground' }, [OTHER, FOREGROUND]],
    [[OTHER], { propagationPolicy: 'Orphan' }, [OTHER, ORPHAN]],
    [[FOREGROUND, OTHER], { propagationPolicy: 'Orphan' }, [OTHER, ORPHAN]],
    [[FOREGROUND, OTHER], { propagationPolicy: 'Background' }, [OTHER]],
    [[FOREGROUND], { propagationPolicy: 'Background' }, 'gone'],
    [[ORPHAN], { orphanDependents: false }, 'gone'],
    [[ORPHAN], {}, [ORPHAN]],
    [[FOREGROUND], {}, [FOREGROUND]],
    [[ORPHAN, OTHER], { propagationPolicy: 'Foreground' }, [OTHER, FOREGROUND]],
  ])('of an object with the finalizers %j, by %j, leaves %j', (finalizers, options, expected) => {
    expect(after(finalizers, options)).toEqual(expected);
  });

  it('follows the kind where nothing is said: the pods of a Job stay', () => {
    expect([after([], {}, 'Job'), after([], { propagationPolicy: 'Background' }, 'Job'), after([FOREGROUND], {}, 'Job')]).toEqual([
      [ORPHAN],
      'gone',
      [FOREGROUND],
    ]);
  });

  it.each<[object, string]>([
    [
      { propagationPolicy: 'Orphan', orphanDependents: true },
      'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    [
      { propagationPolicy: 'X' },
      'propagationPolicy: Unsupported value: "X": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [{ dryRun: ['x'] }, 'dryRun: Unsupported value: []string{"x"}: supported values: "All"'],
    [
      { propagationPolicy: '', dryRun: ['x'] },
      '[propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil", dryRun: Unsupported value: []string{"x"}: supported values: "All"]',
    ],
  ])('with %j is refused', (options, why) => {
    const world = setup();
    world.ok({ ...MAPS, verb: 'create', body: map() });
    const expected = `422 DeleteOptions.meta.k8s.io "" is invalid: ${why}`;
    expect([
      messageOf(world, deleting(options)),
      messageOf(world, { kind: 'ConfigMap', namespace: 'default', verb: 'deletecollection', ...options }),
    ]).toEqual([expected, expected]);
  });

  it('is refused where its preconditions do not hold', () => {
    const world = setup();
    const { uid, resourceVersion } = world.ok({ ...MAPS, verb: 'create', body: map() }).metadata;
    const why = (what: string, asked: string, found: string, fate: string) =>
      `409 Operation cannot be fulfilled on ConfigMap "m": the ${what} in the precondition (${asked}) does not match the ${what} in record (${found}). The object might have been ${fate}`;
    expect([
      messageOf(world, deleting({ preconditions: { uid: 'x' } })),
      messageOf(world, deleting({ preconditions: { uid, resourceVersion: '1' } })),
      messageOf(world, deleting({ name: 'q' })),
      messageOf(world, deleting({ preconditions: { uid, resourceVersion } })),
    ]).toEqual([
      why('UID', 'x', uid, 'deleted and then recreated'),
      why('ResourceVersion', '1', resourceVersion, 'modified'),
      '404 configmaps "q" not found',
      undefined,
    ]);
  });

  it('is answered with a status, or with the object that still waits', () => {
    const world = setup();
    const { uid } = world.ok({ ...MAPS, verb: 'create', body: map() }).metadata;
    expect(answered(world, deleting({ dryRun: true }))).toMatchObject({ code: 200, success: { details: { uid } } });
    expect(answered(world, deleting())).toEqual({
      ok: true,
      code: 200,
      success: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: { name: 'm', kind: 'configmaps', uid } },
    });
    world.ok({ ...MAPS, verb: 'create', body: map({ finalizers: [OTHER] }) });
    expect(answered(world, deleting({ dryRun: true }))).toMatchObject({
      code: 200,
      object: { metadata: { deletionTimestamp: '2024-03-01T00:00:00Z', deletionGracePeriodSeconds: 0 } },
    });
    expect(world.store.get('ConfigMap', 'default/m')?.metadata.deletionTimestamp).toBeUndefined();
    expect(answered(world, deleting({ orphanDependents: false }))).toMatchObject({
      code: 202,
      object: { metadata: { finalizers: [OTHER] } },
    });
    expect(answered(world, deleting({ orphanDependents: true }))).toMatchObject({
      code: 200,
      object: { metadata: { finalizers: [OTHER, ORPHAN] } },
    });
  });

  it('counts a generation once', () => {
    const world = setup();
    const body = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'm', finalizers: [OTHER] }, spec: {} };
    const where = { ...MAPS, kind: 'PodDisruptionBudget' } as const;
    world.ok({ ...where, verb: 'create', body: body });
    const generation = (options: object) => world.ok({ ...where, verb: 'delete', ...options }).metadata.generation;
    expect([generation({}), generation({ propagationPolicy: 'Orphan' }), generation({})]).toEqual([2, 2, 2]);
  });

  it('of all of a selection deletes them, and leaves others', () => {
    const world = setup();
    for (const [name, labels] of [
      ['a', { x: '1' }],
      ['b', { x: '2' }],
      ['c', { x: '1' }],
    ] as const)
      world.ok({ ...MAPS, verb: 'create', body: map({ name, labels }) });
    const response = answered(world, { kind: 'ConfigMap', namespace: 'default', verb: 'deletecollection', labelSelector: 'x=1' });
    expect(response.ok && 'list' in response ? response.list.items.map(({ metadata }) => metadata.name) : response).toEqual(['a', 'c']);
    expect([...world.store.values('ConfigMap')].map(({ metadata }: ApiObject) => metadata.name)).toEqual(['b']);
  });

  it('of Jobs without a word about their pods warns', () => {
    const world = setup();
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'm' },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
    };
    world.ok({ ...MAPS, kind: 'Job', verb: 'create', body: job });
    const warnings = (options: object) =>
      answered(world, { ...MAPS, kind: 'Job', verb: 'delete', dryRun: true, ...options }).warnings?.length;
    expect([
      warnings({}),
      warnings({ propagationPolicy: 'Background' }),
      warnings({ orphanDependents: true }),
      warnings({ name: 'q' }),
    ]).toEqual([1, undefined, undefined, 1]);
  });
});

describe('the options in the body of a deletion', () => {
  const read = (body: unknown): unknown => {
    try {
      return deleteOptionsOf(body);
    } catch (thrown) {
      return (thrown as Error).message;
    }
  };
  it('are read, or refused as recorded', () => {
    const all = {
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u', resourceVersion: '1' },
      orphanDependents: false,
      propagationPolicy: 'Orphan',
      dryRun: ['All'],
    };
    expect([read(undefined), read(null), read({}), read({ kind: 'DeleteOptions', apiVersion: 'v1', ...all }), read({ kind: '' })]).toEqual([
      {},
      {},
      {},
      all,
      {},
    ]);
    expect([read({ kind: 'Pod' }), read({ kind: 'Pod', apiVersion: 'v2' })]).toEqual(
      ['v1', 'v2'].map(
        (version) =>
          `no kind "Pod" is registered for version "${version}" in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"`,
      ),
    );
    expect(read({ gracePeriodSeconds: 'x' })).toContain('gracePeriodSeconds of type int64');
    expect(read(7)).toContain("couldn't get version/kind; json parse error: json: cannot unmarshal number into Go value");
    expect(read({ kind: 7 })).toContain('json: cannot unmarshal number into Go struct field .kind of type string');
  });
});
