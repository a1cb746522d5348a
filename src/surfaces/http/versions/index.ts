/**
 * Versions of kinds besides the one that is simulated: other representations of the same objects. Simplified: validation is that of the
 * kind's own version, managed fields name it, patches apply to its fields, and fields that only an older version has (other topology of
 * endpoints) are not stored. Models: v1.24 lifecycle tags of api/…/v1beta1, apiserver pkg/endpoints/deprecation.
 */
import { perObject } from '../../../engine/memo.ts';
import type { ApiObject, Kind, Names } from '../../../apiserver/machinery/index.ts';
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import { isMapping } from '../../../schema/values/index.ts';
import { rowsOf, type ExtraRow } from '../discovery/resource-list.ts';
import type { HttpReply } from '../message.ts';
import { badRequest } from '../refusals.ts';
import type { VersionPath } from '../request/path.ts';
import { budgetConversion, eventConversion, same, topologyConversion, type Conversion, type Fields } from './convert.ts';
import type { FindShape } from '../protobuf/index.ts';
import { firstShape, scalerBetaConversion, scalerConversion, scalerSecondBetaConversion } from './scaler.ts';

export type OtherVersion = ReturnType<typeof versionOf>;

interface Entry {
  readonly prefix: string;
  readonly version: string;
  readonly kind: string;
  readonly conversion?: (names: Names) => Conversion;
  /** The shape of messages in protobuf; absent: that of the kind's own version. */
  readonly shape?: (kind: Kind) => ReturnType<FindShape>;
  /** Versions of the deprecation and the removal, and whether the replacement is named. */
  readonly deprecated?: readonly [since: string, gone: string, instead?: true];
}

const SCALER = { prefix: 'autoscaling', kind: 'HorizontalPodAutoscaler' };
const SECOND_BETA: Pick<Entry, 'conversion' | 'shape'> = { conversion: () => scalerSecondBetaConversion, shape: ({ schema }) => schema };
const BUDGET = { prefix: 'policy', kind: 'PodDisruptionBudget' };
const ENTRIES: readonly Entry[] = [
  { ...SCALER, version: 'v1', conversion: () => scalerConversion, shape: firstShape },
  { ...SCALER, version: 'v2beta1', conversion: () => scalerBetaConversion, deprecated: ['v1.22', 'v1.25', true] },
  { ...SCALER, ...SECOND_BETA, version: 'v2beta2', deprecated: ['v1.23', 'v1.26', true] },
  { prefix: 'batch', version: 'v1beta1', kind: 'CronJob', deprecated: ['v1.21', 'v1.25', true] },
  { prefix: 'discovery', version: 'v1beta1', kind: 'EndpointSlice', conversion: topologyConversion, deprecated: ['v1.21', 'v1.25', true] },
  { prefix: 'events', version: 'v1', kind: 'Event', conversion: () => eventConversion },
  { prefix: 'events', version: 'v1beta1', kind: 'Event', conversion: () => eventConversion, deprecated: ['v1.22', 'v1.25'] },
  { prefix: 'node', version: 'v1beta1', kind: 'RuntimeClass', deprecated: ['v1.22', 'v1.25'] },
  { ...BUDGET, version: 'v1beta1', conversion: () => budgetConversion, deprecated: ['v1.21', 'v1.25', true] },
  { prefix: 'storage', version: 'v1beta1', kind: 'CSIStorageCapacity', deprecated: ['v1.24', 'v1.27', true] },
];

/** Returns the versions by `group/version`. */
const versionsOf = perObject((kinds: KindRegistry): ReadonlyMap<string, OtherVersion> => {
  const all = ENTRIES.flatMap((entry) => {
    const kind = kinds.byKind(entry.kind);
    return kind === undefined ? [] : [versionOf(entry, kind, kinds)];
  });
  return new Map(all.map((version) => [version.apiVersion, version]));
});

function versionOf({ prefix, version, kind: name, conversion, deprecated }: Entry, kind: Kind, kinds: KindRegistry) {
  const { read, write } = conversion?.(kinds.names) ?? same;
  const group = kinds.names.group(prefix);
  const [apiVersion, current] = [`${group}/${version}`, kinds.apiVersionOf(kind)];
  const [since = '', gone = '', instead] = deprecated ?? [];
  const warning = `${apiVersion} ${name} is deprecated in ${since}+, unavailable in ${gone}+${instead === true ? `; use ${current} ${name}` : ''}`;
  return {
    kind,
    group,
    version,
    /** The name of the version in the rules of the kind: `events/v1`. */
    rules: `${prefix}/${version}`,
    apiVersion,
    /** The deprecation warning of every reply. */
    warning: deprecated === undefined ? undefined : warning,
    read(object: ApiObject): ApiObject {
      if (object.kind !== name || object.apiVersion !== current) return object;
      const made = read(object);
      return { ...made, apiVersion, kind: name, metadata: (made['metadata'] ?? object.metadata) as ApiObject['metadata'] };
    },
    write(value: unknown): unknown {
      if (!isMapping(value)) return value;
      const { apiVersion: given, ...rest } = value;
      if (given === current) throw unexpected(current, apiVersion);
      return { ...(given === undefined ? {} : { apiVersion: given === apiVersion ? current : given }), ...write(rest) };
    },
  };
}

const unexpected = (given: string, expected: string) =>
  badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`);

/** Returns the shape of a kind in another version; undefined: there is no such version, or its field numbers are not known. */
export function otherShape(kinds: KindRegistry, name: string, apiVersion: string): ReturnType<FindShape> {
  const entry = ENTRIES.find(({ prefix, version, kind }) => kind === name && `${kinds.names.group(prefix)}/${version}` === apiVersion);
  const kind = entry === undefined ? undefined : kinds.byKind(name);
  if (entry === undefined || kind === undefined) return undefined;
  if (entry.shape !== undefined) return entry.shape(kind);
  return entry.conversion === undefined ? kind.schema : undefined;
}

/** Refuses an object in another version than that of its path. */
export function refuseOthers(value: unknown, kind: Kind, kinds: KindRegistry): void {
  const { apiVersion, kind: name } = (value ?? {}) as Fields;
  if (typeof apiVersion !== 'string' || (name ?? kind.kind) !== kind.kind) return;
  if (versionsOf(kinds).get(apiVersion)?.kind === kind) throw unexpected(apiVersion, kinds.apiVersionOf(kind));
}

/** Returns how clients see a custom resource whose kind has another name in the registry; undefined: as it is stored. */
export function renamed(kind: Kind, names: Names): OtherVersion | undefined {
  const { shownAs, version, groupPrefix, deprecation: warning } = kind;
  if (shownAs === undefined) return undefined;
  const group = names.group(groupPrefix);
  return {
    kind,
    group,
    version,
    rules: version,
    warning,
    apiVersion: `${group}/${version}`,
    read: (object) => (object.kind === kind.kind ? { ...object, kind: shownAs } : object),
    write: (value) => value,
  };
}

/** Returns the other version that a path is below. */
export const otherVersion = ({ group, version }: VersionPath, kinds: KindRegistry): OtherVersion | undefined =>
  versionsOf(kinds).get(`${group}/${version}`);

/** Discovery rows of the other versions. Storage versions are those of the kinds' own versions. */
export const otherRows = (kinds: KindRegistry): readonly ExtraRow[] =>
  [...versionsOf(kinds).values()].flatMap(({ kind, group, version }) =>
    rowsOf(kind, kinds.names.group(kind.groupPrefix)).map((row) => ({ group, version, row })),
  );

/** Registries for the documents: all kinds, one of them in its other version, if that version has its own representation. */
export const otherRegistries = (kinds: KindRegistry) =>
  ENTRIES.filter(({ conversion }) => conversion === undefined).map(({ prefix, version, kind: name }) => ({
    group: kinds.names.group(prefix),
    version,
    kinds: { ...kinds, list: () => kinds.list().map((kind) => (kind.kind === name ? { ...kind, version } : kind)) },
  }));

/** Returns a reply with a warning before its other warnings. */
export function warned(reply: HttpReply, warning: string | undefined): HttpReply {
  if (warning === undefined) return reply;
  const others = reply.headers['warning'] ?? [];
  return { ...reply, headers: { ...reply.headers, warning: [`299 - "${warning}"`, ...(typeof others === 'string' ? [others] : others)] } };
}
