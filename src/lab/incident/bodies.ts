/** What clients sent, as steps can send it again: without what the server of the log had given out, and without what is hostile. */
import { isMapping, membersOf } from '../../schema/values/index.ts';

type Members = Readonly<Record<string, unknown>>;

/** As deep as objects of the API are read. */
const DEEPEST = 64;

/** Returns a copy without members named `__proto__`; undefined: it is too deep. */
export function safeCopy(value: unknown, depth = 0): { readonly value: unknown } | undefined {
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value as readonly unknown[]) {
      const copy = safeCopy(item, depth + 1);
      if (copy === undefined) return undefined;
      items.push(copy.value);
    }
    return { value: items };
  }
  if (!isMapping(value)) return { value };
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__') continue;
    const copy = safeCopy(member, depth + 1);
    if (copy === undefined) return undefined;
    members.push([name, copy.value]);
  }
  return { value: Object.fromEntries(members) };
}

const without = (value: Members, names: ReadonlySet<string>): Members =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));

/** Given out by the server, and another in the run. */
const GIVEN_OUT: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]);

/** An owner is named: a run finds its uid by the name. Owners whose names are drawn cannot be named. */
export type KnowsOwner = (kind: unknown, name: unknown) => boolean;

function ownersIn(references: unknown, knows: KnowsOwner): Members {
  if (!Array.isArray(references)) return {};
  const kept = (references as readonly unknown[]).flatMap((each) => {
    const { uid: _, ...rest } = membersOf(each);
    return knows(rest['kind'], rest['name']) ? [rest] : [];
  });
  return kept.length === 0 ? {} : { ownerReferences: kept };
}

function metadataOf(metadata: unknown, knows: KnowsOwner): Members {
  const { ownerReferences, ...rest } = without(membersOf(metadata), GIVEN_OUT);
  return { ...rest, ...ownersIn(ownerReferences, knows) };
}

/** A whole object as it was created. */
export function createdBody(body: Members, knows: KnowsOwner): Members {
  const { status: _, metadata, ...rest } = body;
  return { ...rest, metadata: metadataOf(metadata, knows) };
}

/** What a cluster assigns to an object of a kind, in its spec. */
const ASSIGNED: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  Service: new Set(['clusterIP', 'clusterIPs', 'healthCheckNodePort']),
  PersistentVolumeClaim: new Set(['volumeName']),
  Job: new Set(['selector', 'template']),
};

/**
 * A whole object that replaces another, as the patch of what it says: what the run has beside it (a node that was assigned, a count that an
 * autoscaler set) stays. `before`: what was sent of it last; what it had and the new one has not is removed.
 */
export function replacingPatch(kind: string, body: Members, before: unknown): Members {
  const { apiVersion: _a, kind: _k, status: _s, metadata, spec, ...rest } = body;
  const { ownerReferences: _o, name: _n, namespace: _ns, ...kept } = without(membersOf(metadata), GIVEN_OUT);
  const assigned = Object.hasOwn(ASSIGNED, kind) ? ASSIGNED[kind] : undefined;
  // Of a pod hardly anything can change but its metadata, and its node is another.
  const patch: Members = {
    ...(kind === 'Pod' ? {} : rest),
    metadata: kept,
    ...(kind === 'Pod' || !isMapping(spec) ? {} : { spec: assigned === undefined ? spec : without(spec, assigned) }),
  };
  return isMapping(before) ? (withRemovals(patch, before, 0) as Members) : patch;
}

const REMOVABLE: ReadonlySet<string> = new Set(['spec', 'metadata', 'data', 'labels', 'annotations']);

/** Members of the former object that the new one lacks become null. */
function withRemovals(now: unknown, before: unknown, depth: number): unknown {
  if (!isMapping(now) || !isMapping(before) || depth > DEEPEST) return now;
  const members = Object.entries(now).map(([name, value]): [string, unknown] => [
    name,
    Object.hasOwn(before, name) ? withRemovals(value, before[name], depth + 1) : value,
  ]);
  const gone =
    depth === 0 ? [] : Object.keys(before).filter((name) => !Object.hasOwn(now, name) && !GIVEN_OUT.has(name) && !NAMES.has(name));
  return Object.fromEntries(
    [...members, ...gone.map((name): [string, unknown] => [name, null])].filter(
      ([name]) => depth > 0 || REMOVABLE.has(name) || Object.hasOwn(now, name),
    ),
  );
}

const NAMES: ReadonlySet<string> = new Set(['name', 'namespace', 'generateName', 'ownerReferences']);
const VERSIONED: ReadonlySet<string> = new Set(['/metadata/resourceVersion', '/metadata/uid']);

/** A patch as it was sent, without its preconditions. */
export function sentPatch(patch: unknown): unknown {
  if (Array.isArray(patch)) return (patch as readonly unknown[]).filter((each) => !VERSIONED.has(String(membersOf(each)['path'])));
  if (!isMapping(patch) || !isMapping(patch['metadata'])) return patch;
  const { ownerReferences: _, ...metadata } = without(patch['metadata'], GIVEN_OUT);
  const { metadata: _m, ...rest } = patch;
  return Object.keys(metadata).length === 0 ? rest : { ...rest, metadata };
}
