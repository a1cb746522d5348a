/** Random invalid requests to a server with an object of a kind, and the properties that must hold after each of them. */
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, type Kind, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { envelopeOf, type ApiRequest, type ApiResponse } from '../../../src/apiserver/request/index.ts';
import type { Store } from '../../../src/apiserver/store/index.ts';
import { HOSTILE_TEXTS, hostileValue, mutated, plausible, type Tape } from '../../support/hostile.ts';
import { anotherOf, exampleOf } from '../../support/examples.ts';
import { setup, type Setup } from './setup.ts';

const names = namesFor('k8s.io');
export const fuzzedKinds: readonly Kind[] = kindsFor(names).list();
const GATES = { CronJobTimeZone: true, MaxUnavailableStatefulSet: true, StatefulSetAutoDeletePVC: true, ServerSideFieldValidation: true };

/** The maximum processor time of a request, in milliseconds; far more than any of them needs. */
const MOST_MS = 1_000;

/** Returns a server with a valid object of the kind; every other one tracks managed fields and has its gates on. */
export function worldOf(kind: Kind, tape: Tape): Setup {
  const world = tape.once(2) ? setup('k8s.io', GATES, { trackFields: () => true }) : setup();
  world.ok({
    verb: 'create',
    kind: kind.kind,
    body: exampleOf(kind, names),
    fieldManager: 'maker',
    ...(kind.namespaced ? { namespace: 'default' } : {}),
  });
  return world;
}

/** The 500 errors in the recordings of the real server: Go errors that are not API errors. */
export const RECORDED_500 = [
  /^(resourceVersion: Invalid value: ".*": )?strconv\.ParseUint: parsing ".*": (invalid syntax|value out of range)$/s,
  /^resourceVersion should not be set on objects to be created$/,
  /^etcdserver: mvcc: required revision is a future revision$/,
  /^map: .* does not contain declared merge key: /s,
  /^unknown patch type: .* in map: /s,
  /^The order in patch list:\n/,
  /^list element types are not identical: /s,
  /^failed to create typed patch object /,
  /^couldn't get version\/kind; json parse error: /,
  /^no kind ".*" is registered for version /s,
  /^json: cannot unmarshal .* into Go struct field DeleteOptions\./s,
  // Errors of the same origin in strategic merge patches, as their source words them: apimachinery pkg/util/strategicpatch.
  /^unable to find api field in struct \w+ for the json field "/,
  /^merging an object in json but data type is not struct, instead is: map$/,
  /^expected slice or array type, but got: struct$/,
  /^expected a (map\[string\]|\[\])interface \{\}, but received a /,
  /^cannot merge lists without merge key for struct$/,
  /^merging lists cannot yet be specified in the patch$/,
  /^no elements in any of the given slices$/,
];

const object = (store: Store, kind: Kind): ApiObject | undefined => [...store.values(kind.kind)][0];
/** Returns all stored objects, by identity. */
const everything = (store: Store): readonly ApiObject[] => store.kinds().flatMap((kind) => [...store.values(kind)]);

const text = (tape: Tape, usual: readonly string[]): string => (tape.once(3) ? tape.pick(HOSTILE_TEXTS) : tape.pick(usual));
const maybe = <K extends string, V>(tape: Tape, key: K, value: () => V, inSoMany = 4): Partial<Record<K, V>> =>
  tape.once(inSoMany) ? ({ [key]: value() } as Record<K, V>) : {};

const SELECTORS = [
  'a=b',
  'app in (web,db)',
  'app notin (x',
  '!app',
  'app,',
  'metadata.name=x',
  'spec.nodeName=',
  'status.phase!=Running',
  'a==b==c',
  ',',
  'a in ()',
  'a>1',
  'spec.x\\=y',
];
const VERSIONS = ['0', '1', '5', 'abc', '-1', '1.5', '18446744073709551616', '999999999', ''];
const TOKENS = [
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJkZWZhdWx0L3hcdTAwMDAifQ',
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6LTEsInN0YXJ0IjoiLi4vLi4veCJ9',
  'bnVsbA',
  'e30',
  'W10',
  '@@',
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MWUzMDAsInN0YXJ0IjoieCJ9',
];
const listOptions = (tape: Tape): object => ({
  ...maybe(tape, 'labelSelector', () => text(tape, SELECTORS)),
  ...maybe(tape, 'fieldSelector', () => text(tape, SELECTORS)),
  ...maybe(tape, 'resourceVersion', () => text(tape, VERSIONS)),
  ...maybe(tape, 'resourceVersionMatch', () => text(tape, ['Exact', 'NotOlderThan', 'exact', ''])),
  ...maybe(tape, 'limit', () => tape.pick([0, 1, -1, 2 ** 63, -(2 ** 63), 500])),
  ...maybe(tape, 'continue', () => text(tape, TOKENS)),
});
const deleteOptions = (tape: Tape): object => ({
  ...maybe(tape, 'gracePeriodSeconds', () => tape.pick([0, -1, 1, 30, 2 ** 53, -(2 ** 63)])),
  ...maybe(tape, 'propagationPolicy', () => text(tape, ['Foreground', 'Orphan', 'Background', 'nil', ''])),
  ...maybe(tape, 'orphanDependents', () => tape.once(2)),
  ...maybe(tape, 'preconditions', () => ({
    ...maybe(tape, 'uid', () => text(tape, ['u']), 2),
    ...maybe(tape, 'resourceVersion', () => text(tape, VERSIONS), 2),
  })),
  ...maybe(tape, 'dryRun', () => [text(tape, ['All'])], 6),
});
const writeOptions = (tape: Tape): object => ({
  ...maybe(tape, 'dryRun', () => [text(tape, ['All', 'All', 'none'])], 6),
  ...maybe(tape, 'fieldManager', () => text(tape, ['m', 'maker', 'x'.repeat(129), 'a\u0007'])),
  ...maybe(tape, 'fieldValidation', () => text(tape, ['Strict', 'Warn', 'Ignore', 'bogus'])),
});

const POINTERS = [
  '',
  '/',
  '/metadata',
  '/metadata/labels/app',
  '/metadata/labels/a~1b',
  '/metadata/~2',
  '/spec',
  '/spec/-',
  '/metadata/finalizers/-',
  '/metadata/finalizers/0',
  '/metadata/finalizers/-1',
  '/metadata/finalizers/01',
  '/metadata/finalizers/99999999999999999999',
  '/__proto__/polluted',
  '/constructor/prototype/polluted',
  '/metadata/__proto__',
  '/metadata/labels/__proto__',
  'x',
  '/spec/template/spec/containers/0/image',
];
const operation = (tape: Tape): unknown =>
  tape.once(10)
    ? hostileValue(tape)
    : {
        op: text(tape, ['add', 'remove', 'replace', 'move', 'copy', 'test']),
        path: text(tape, POINTERS),
        ...maybe(tape, 'from', () => text(tape, POINTERS), 2),
        ...maybe(tape, 'value', () => hostileValue(tape), 2),
      };

const patchTypes = ['json', 'merge', 'strategic', 'apply'] as const;
function patchBody(type: (typeof patchTypes)[number], kind: Kind, current: unknown, tape: Tape): unknown {
  if (tape.once(12)) return hostileValue(tape);
  if (type === 'json') return Array.from({ length: 1 + tape.below(3) }, () => operation(tape));
  const base = tape.once(2)
    ? exampleOf(kind, names)
    : type === 'apply'
      ? { apiVersion: exampleOf(kind, names).apiVersion, kind: kind.kind, metadata: { name: 'x' } }
      : plausible(kind.schema, tape);
  return tape.once(4) ? mutated(current, kind.schema, tape) : several(base, kind, tape);
}

function several(value: unknown, kind: Kind, tape: Tape): unknown {
  let changed = value;
  for (let left = 1 + tape.below(3); left > 0; left--) changed = mutated(changed, kind.schema, tape);
  return changed;
}

const VERBS = ['create', 'update', 'patch', 'patch', 'patch', 'get', 'list', 'delete', 'deletecollection'] as const;

/** Returns a request about the kind, mostly for the stored object, with something invalid in it. */
export function hostileRequest(kind: Kind, store: Store, tape: Tape): ApiRequest {
  const base = exampleOf(kind, names);
  const verb = tape.pick(VERBS);
  const current = object(store, kind) ?? base;
  const place = {
    kind: tape.once(60) ? tape.pick(HOSTILE_TEXTS) : kind.kind,
    ...(kind.namespaced || tape.once(10) ? { namespace: tape.once(10) ? tape.pick(HOSTILE_TEXTS) : 'default' } : {}),
    userAgent: 'fuzz/1.0',
  };
  const name = tape.once(12) ? tape.pick(HOSTILE_TEXTS) : (base.metadata?.name ?? '');
  const sub = tape.once(4) ? { subresource: tape.once(8) ? tape.pick(HOSTILE_TEXTS) : tape.pick([...kind.subresources, 'status']) } : {};
  const body = (): unknown => several(tape.once(2) ? current : base, kind, tape);
  const made = ((): unknown => {
    switch (verb) {
      case 'get':
        return { ...place, verb, name, ...sub, ...maybe(tape, 'resourceVersion', () => text(tape, VERSIONS)) };
      case 'list':
        return { ...place, verb, ...listOptions(tape) };
      case 'create':
        return {
          ...place,
          verb,
          body: tape.once(3) ? body() : mutated(anotherOf(kind, names), kind.schema, tape),
          ...writeOptions(tape),
          ...(tape.once(8) ? { ...sub, name } : {}),
        };
      case 'update':
        return { ...place, verb, name, body: body(), ...writeOptions(tape), ...sub };
      case 'patch': {
        const patchType = tape.pick(patchTypes);
        return {
          ...place,
          verb,
          name,
          patchType,
          body: patchBody(patchType, kind, current, tape),
          ...writeOptions(tape),
          ...(patchType === 'apply' && !tape.once(8) ? { fieldManager: 'm' } : {}),
          ...sub,
          ...maybe(tape, 'force', () => tape.once(2)),
        };
      }
      case 'delete':
        return { ...place, verb, name, ...deleteOptions(tape) };
      case 'deletecollection':
        return { ...place, verb, ...deleteOptions(tape), ...listOptions(tape) };
    }
  })();
  return made as ApiRequest;
}

/** Returns the problem in the response to a request; undefined: none. */
export function problemWith(world: Setup, request: ApiRequest, answered: (code: number) => void = () => {}): string | undefined {
  const { store, server } = world;
  const before = everything(store);
  const revision = store.revision;
  const from = process.cpuUsage();
  let response: ApiResponse;
  try {
    response = server.handle(envelopeOf('client', request));
  } catch (thrown) {
    return `threw ${String((thrown as Error).stack).slice(0, 900)}`;
  }
  answered(response.code);
  const { user, system } = process.cpuUsage(from);
  const took = (user + system) / 1000;
  if (took > MOST_MS) return `took ${took.toFixed(0)} ms`;
  if (Object.keys(Object.prototype).length > 0 || Object.hasOwn(Object.prototype, 'polluted') || Object.keys(Array.prototype).length > 0)
    return 'polluted a prototype';
  const after = everything(store);
  const same = store.revision === revision && after.length === before.length && after.every((each, at) => each === before[at]);
  if (!response.ok) {
    if (!same) return `changed something, yet refused with ${response.status.message}`;
    if (response.code !== response.status.code || (response.status.message ?? '') === '')
      return `an odd status: ${JSON.stringify(response.status)}`;
    if (response.code >= 500 && response.code !== 504 && !RECORDED_500.some((known) => known.test(response.status.message ?? '')))
      return `an unknown ${response.code}: ${(response.status.message ?? '').slice(0, 300)}`;
    return undefined;
  }
  if (!same && 'dryRun' in request && (request.dryRun as readonly string[])[0] === 'All') return 'changed something in a dry run';
  for (const each of after) {
    if (before.includes(each)) continue;
    const odd = notStorable(each, '');
    if (odd !== undefined) return `stored ${odd}`;
  }
  return undefined;
}

/** Returns the path where a stored object has a value that is not JSON or not frozen; undefined: none. */
function notStorable(value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${value} at ${path}`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint'
      ? `a ${typeof value} at ${path}`
      : undefined;
  for (const [key, item] of Object.entries(value)) {
    const odd = notStorable(item, path.length > 200 ? path : `${path}/${key}`);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

/** Prints a request shortly, for failures. */
export const shown = (request: ApiRequest): string => {
  try {
    return JSON.stringify(request, (_, value: unknown) =>
      typeof value === 'string' && value.length > 300
        ? `${value.slice(0, 20)}…(${value.length})`
        : typeof value === 'number' && !Number.isFinite(value)
          ? String(value)
          : value,
    ).slice(0, 1_500);
  } catch (thrown) {
    return `${request.verb} ${request.kind} (${String(thrown)})`;
  }
};
