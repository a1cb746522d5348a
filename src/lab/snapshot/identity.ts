/** Who is who among the objects of a dump: what is named twice, and what contradicts what. */
import { isMapping } from '../../schema/values/index.ts';
import type { OwnerReference } from '../../apiserver/machinery/index.ts';
import { formatProblem, type Position, type Problem } from '../../schema/yaml/index.ts';
import type { Found, Members } from './documents.ts';

/** An object of a dump with the names that identify it. */
export interface Named extends Found {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string | undefined;
  readonly metadata: Members;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** `kind namespace/name`. */
export const titleOf = ({ kind, namespace, name }: Pick<Named, 'kind' | 'namespace' | 'name'>): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

export const problemAt = (at: Position, path: string, expected: string, found: string): Problem => ({ ...at, path, expected, found });

/** An object with its names, or what it lacks. */
export function namedOf(found: Found): Named | Problem {
  const { apiVersion, kind, metadata } = found.value;
  const lacks = (path: string, expected: string, value: unknown): Problem =>
    problemAt(found.at(), path, expected, value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60));
  if (text(apiVersion) === undefined) return lacks('apiVersion', 'an apiVersion such as apps/v1', apiVersion);
  if (text(kind) === undefined) return lacks('kind', 'a kind', kind);
  if (!isMapping(metadata)) return lacks('metadata', 'the metadata of an object', metadata);
  const name = text(metadata['name']);
  if (name === undefined) return lacks('metadata.name', 'a name', metadata['name']);
  return {
    ...found,
    apiVersion: String(apiVersion),
    kind: String(kind),
    name,
    namespace: text(metadata['namespace']),
    uid: text(metadata['uid']),
    metadata,
  };
}

/** The group and the version of an object; the core group is empty. */
export function versionOf({ apiVersion }: Pick<Named, 'apiVersion'>): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

const keyOf = (named: Named): string => [versionOf(named)[0], named.kind, named.namespace ?? '', named.name].join(' ');

const place = ({ file, line }: Position): string => `${file}:${line}`;

/**
 * Removes what is named twice. The same object in two files is one; of two states the newer counts. Two objects of one name, or two of one
 * uid, contradict each other: the first counts.
 */
export function once(objects: readonly Named[]): { readonly kept: readonly Named[]; readonly problems: readonly Problem[] } {
  const byKey = new Map<string, Named>();
  const byUid = new Map<string, Named>();
  const problems: Problem[] = [];
  for (const one of objects) {
    const key = keyOf(one);
    const same = byKey.get(key);
    const other = one.uid === undefined ? undefined : byUid.get(one.uid);
    if (same !== undefined && same.uid !== one.uid) {
      problems.push(
        problemAt(
          one.at(),
          'metadata.uid',
          `the uid ${same.uid ?? '(none)'} that ${titleOf(one)} has at ${place(same.at())} (are these two clusters?)`,
          one.uid ?? 'nothing',
        ),
      );
      continue;
    }
    if (other !== undefined && other !== same) {
      problems.push(
        problemAt(one.at(), 'metadata.uid', `a uid that no other object has`, `that of ${titleOf(other)} at ${place(other.at())}`),
      );
      continue;
    }
    if (same === undefined || revision(one) > revision(same)) byKey.set(key, one);
    if (one.uid !== undefined) byUid.set(one.uid, byKey.get(key) ?? one);
  }
  return { kept: [...byKey.values()], problems };
}

const revision = ({ metadata: { resourceVersion } }: Named): number =>
  typeof resourceVersion === 'string' ? Number(resourceVersion) || 0 : 0;

export type OwnerRef = Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>;

export function ownersOf({ metadata: { ownerReferences } }: Pick<Named, 'metadata'>): readonly OwnerRef[] {
  if (!Array.isArray(ownerReferences)) return [];
  return (ownerReferences as readonly unknown[]).flatMap((each) => {
    if (!isMapping(each)) return [];
    const [apiVersion, kind, name, uid] = [each['apiVersion'], each['kind'], each['name'], each['uid']].map(text);
    return apiVersion === undefined || kind === undefined || name === undefined || uid === undefined
      ? []
      : [{ apiVersion, kind, name, uid }];
  });
}

/** The lines of problems, as notes say them. */
export const saidAs = (problems: readonly Problem[]): readonly string[] => problems.map(formatProblem);
