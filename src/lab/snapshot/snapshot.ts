/**
 * Reads the dump of a cluster as the state that another one begins with. Everything keeps its identity: uid, owners, revision, times, status.
 * What contradicts itself is told all at once; what is missing is made, and said once.
 */
import { type ApiObject, type Domain, type FeatureGates, type Kind, namesFor, resolveGates } from '../../apiserver/machinery/index.ts';
import { readStored, revisionOf } from '../../apiserver/handlers/index.ts';
import { kindInGroup, kindsFor, type KindRegistry, registryWith, servedVersions } from '../../apiserver/kinds/index.ts';
import type { NodeSpec, StorageDriver } from '../../controlplane/agents/index.ts';
import type { UsageSpec } from '../../controlplane/usage/index.ts';
import { bump, compareText, formatTime } from '../../schema/values/index.ts';
import { inReadingOrder, type Problem } from '../../schema/yaml/index.ts';
import { documentsIn, type SnapshotFile } from './documents.ts';
import { contradictions } from './contradictions.ts';
import { definedIn, definedKinds, type ForeignKind, guessedPlural, withForeign } from './foreign.ts';
import { inPresentVersion } from './versions.ts';
import { type Named, namedOf, once, problemAt, saidAs, titleOf, versionOf } from './identity.ts';
import { nodesOf, storageDriversOf, usageOf } from './machines.ts';
import { missing } from './missing.ts';
import { withCertificate } from './missing-namespaces.ts';
import { newestIn } from './newest.ts';
import { emptied } from './secrets.ts';
import type { State, Stored } from './state.ts';

/** How a dump is read. */
export interface SnapshotOptions {
  /** The names of the cluster; absent: those that the dump speaks. */
  readonly domain?: Domain;
  readonly featureGates?: FeatureGates;
  /** Secrets keep what they hold; otherwise their values are emptied. */
  readonly secrets?: boolean;
  /** Problems become notes, and the rest is read. */
  readonly lenient?: boolean;
  /** Returns the kinds of a domain; absent: the registered ones. */
  readonly kindsOf?: ((domain: Domain) => KindRegistry) | undefined;
}

/** The state of a cluster, as plain data. */
export interface Snapshot {
  readonly domain: Domain;
  /** The newest instant of which its objects speak, milliseconds since the epoch; absent: none does. */
  readonly takenAt?: number;
  /** Canonical, in the order of their revisions. */
  readonly objects: readonly ApiObject[];
  readonly nodes: readonly NodeSpec[];
  readonly storageDrivers: readonly StorageDriver[];
  /** What autoscalers measured. */
  readonly usage: readonly UsageSpec[];
  /** Kinds that are kept as they are. */
  readonly foreign: readonly ForeignKind[];
  /** What was missing and is made, what is left out, and what is kept as it is: each said once. */
  readonly notes: readonly string[];
}

/** Returns the state that texts describe, or everything that is wrong with them. */
export function readSnapshot(
  files: readonly SnapshotFile[],
  options: SnapshotOptions = {},
): { readonly snapshot: Snapshot } | { readonly problems: readonly Problem[] } {
  const { found, problems: unread } = documentsIn(files, options.lenient === true);
  const problems: Problem[] = [...unread];
  const all = found.flatMap((each) => {
    const named = namedOf(each);
    if ('apiVersion' in named) return [named];
    problems.push(named);
    return [];
  });
  const unique = once(all);
  problems.push(...unique.problems);
  const [first] = files;
  if (all.length === 0 && problems.length === 0)
    problems.push(problemAt({ file: first?.file ?? '-', line: 1, col: 1 }, '', 'the objects of a cluster', 'none'));
  const domain = options.domain ?? domainOf(all);
  const context = { names: namesFor(domain), gates: resolveGates(options.featureGates ?? {}).gates, now: 0 };
  const served = options.kindsOf?.(domain) ?? kindsFor(context.names);
  const defined = definedKinds(
    unique.kept.map(({ value }) => value),
    served,
  );
  const base = defined.length === 0 ? served : registryWith(served, defined);
  const sorted = sortedByKind(unique.kept, base, options.lenient === true);
  problems.push(...sorted.problems);
  const notes = [...sorted.notes];
  const registry = withForeign(base, sorted.foreign);
  const stored = readAll(sorted.known, registry, context, problems);
  const takenAt = newestIn(stored.map(({ object }) => object));
  const checked = contradictions(stored, registry);
  problems.push(...checked.problems);
  notes.push(...checked.notes);
  if (problems.length > 0 && options.lenient !== true) return { problems: inReadingOrder(problems) };
  const secrets = options.secrets === true ? { stored: checked.stored, notes: [] } : emptied(checked.stored);
  const read = secrets.stored.map(({ object }) => aged(object, takenAt ?? 0));
  const state: State = { objects: withCertificate(read, context.names), names: context.names, now: takenAt ?? 0 };
  const completed = missing(state);
  notes.push(...secrets.notes, ...completed.notes, ...saidAs(problems).map((line) => `left out: ${line}`));
  const objects = [...state.objects, ...completed.made].sort(byRevision);
  return {
    snapshot: {
      domain,
      ...(takenAt === undefined ? {} : { takenAt }),
      objects,
      nodes: nodesOf(objects),
      storageDrivers: storageDriversOf(objects),
      usage: usageOf(objects),
      foreign: sorted.foreign,
      notes,
    },
  };
}

/** Manifests in place of dumped objects have no time of creation: it is that of the dump. */
const aged = (object: ApiObject, now: number): ApiObject =>
  typeof object.metadata.creationTimestamp === 'string'
    ? object
    : { ...object, metadata: { ...object.metadata, creationTimestamp: formatTime(now) } };

/** Objects without a revision come last, as the newest. */
const byRevision = (a: ApiObject, b: ApiObject): number => (revisionOf(a) || Infinity) - (revisionOf(b) || Infinity) || 0;

/** Dumps speak the real names, but those of this program. */
const domainOf = (objects: readonly Named[]): Domain =>
  objects.some(({ apiVersion, name, kind }) => /(?:^|\.)orch\.io\//.test(apiVersion) || (kind === 'Namespace' && name === 'orch-system'))
    ? 'orch.io'
    : 'k8s.io';

const COMMON: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', '__proto__']);

const fieldsOf = ({ value }: Named): readonly string[] => Object.keys(value).filter((name) => !COMMON.has(name));

const renamed = (one: Named, kind: string): Named => ({ ...one, kind, value: { ...one.value, kind } });

/** Tells the kinds that the server has from those that are kept as they are. */
function sortedByKind(objects: readonly Named[], registry: KindRegistry, lenient: boolean) {
  const defined = definedIn(objects.map(({ value }) => value));
  const known: Named[] = [];
  const problems: Problem[] = [];
  const foreign = new Map<string, { readonly is: Omit<ForeignKind, 'fields'>; readonly fields: Set<string>; count: number }>();
  const clashing = new Map<string, number>();
  const converted = new Map<string, number>();
  const convert = (one: Named, kind: Kind, served: string): void => {
    const [group, version] = versionOf(one);
    const value = inPresentVersion(one, lenient || (group !== '' && servedVersions(kind).some((each) => each.version === version)));
    if (value === undefined) {
      const named = group === '' ? '' : `.${group}`;
      problems.push(
        problemAt(one.at(), 'apiVersion', `${served} (kubectl get ${kind.plural}.${kind.version}${named} -o yaml)`, one.apiVersion),
      );
      return;
    }
    bump(converted, `${one.kind} of ${one.apiVersion}`);
    known.push({ ...one, value: { ...value, apiVersion: served } });
  };
  for (const written of objects) {
    const [of, version] = versionOf(written);
    const kind = kindInGroup(registry, of, written.kind) ?? registry.byKind(written.kind);
    const one = kind === undefined || kind.kind === written.kind ? written : renamed(written, kind.kind);
    if (kind !== undefined) {
      const served = registry.apiVersionOf(kind);
      if (served === one.apiVersion) known.push(one);
      else if (registry.names.group(kind.groupPrefix) === of) convert(one, kind, served);
      else bump(clashing, `${one.kind} of ${of}`);
      continue;
    }
    const other = foreign.get(one.kind);
    if (other === undefined) {
      const names = defined.get(`${of}/${one.kind}`) ?? {
        group: of,
        kind: one.kind,
        plural: guessedPlural(one.kind),
        namespaced: one.namespace !== undefined,
        shortNames: [],
      };
      foreign.set(one.kind, { is: { ...names, version }, fields: new Set(fieldsOf(one)), count: 1 });
    } else if (other.is.group === of && other.is.version === version) {
      other.count++;
      for (const field of fieldsOf(one)) other.fields.add(field);
    } else {
      bump(clashing, `${one.kind} of ${one.apiVersion}`);
      continue;
    }
    known.push(one);
  }
  const kept = [...foreign].sort(([a], [b]) => compareText(a, b));
  const counts = kept.map(([, { is, count }]) => [`${is.kind} (${is.group === '' ? '' : `${is.group}/`}${is.version})`, count] as const);
  const noted = (text: string, all: Iterable<readonly [string, number]>): readonly string[] => {
    const list = [...all].map(([what, count]) => `${count} ${what}`);
    return list.length === 0 ? [] : [`${text}: ${list.join(', ')}`];
  };
  return {
    known,
    foreign: kept.map(([, { is, fields }]): ForeignKind => ({ ...is, fields: [...fields].sort(compareText) })),
    problems,
    notes: [
      ...noted('kinds that nobody here knows are kept as they are, and no controller acts on them', counts),
      ...noted('read in the version that the server stores', converted),
      ...noted('left out, because another kind has the same name', clashing),
    ],
  };
}

function readAll(
  objects: readonly Named[],
  registry: KindRegistry,
  context: Parameters<typeof readStored>[2],
  problems: Problem[],
): readonly Stored[] {
  return objects.flatMap((named) => {
    const kind = registry.byKind(named.kind);
    if (kind === undefined) return [];
    const { selfLink: _, ...metadata } = named.metadata;
    const given = {
      ...named.value,
      metadata: kind.namespaced && named.namespace === undefined ? { ...metadata, namespace: 'default' } : metadata,
    };
    const read = readStored(kind, given, context);
    if ('object' in read) return [{ named, object: read.object }];
    problems.push(problemAt(named.at(), titleOf(named), 'values of its kind', read.why));
    return [];
  });
}
