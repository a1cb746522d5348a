/**
 * The descriptions of API fields, in our words, for `explain`, for editors and for `orchsim kinds`. They are by struct, because kinds share
 * structs: a pod spec is described once for all kinds that contain it. Rare volume sources are not described.
 */
import {
  COMMON,
  type Kind,
  SHARED_TEXTS,
  SHARED_VALUES,
  SHARED_WIRE,
  namesFor,
  type Texts,
  type Values,
  type Wire,
} from '../machinery/index.ts';
import { type KindRegistry, kindsFor } from './registry.ts';

interface Descriptions {
  readonly texts: Texts;
  readonly values: Values;
  readonly wire: Wire;
}

const made = new WeakMap<KindRegistry, Descriptions>();

/** Returns the descriptions of all kinds of a registry and of their shared structs; they do not depend on the domain. */
function descriptionsOf(registry: KindRegistry): Descriptions {
  let descriptions = made.get(registry);
  if (descriptions !== undefined) return descriptions;
  const kinds: readonly Kind[] = registry.list();
  const own = <T>(
    shared: Readonly<Record<string, T>>,
    part: (kind: Kind) => Readonly<Record<string, T>> | undefined,
  ): Readonly<Record<string, T>> => Object.assign({}, shared, ...kinds.map(part)) as Readonly<Record<string, T>>;
  descriptions = {
    texts: own(SHARED_TEXTS, (kind) => kind.texts),
    values: own(SHARED_VALUES, (kind) => kind.values),
    wire: own(SHARED_WIRE, (kind) => kind.wire),
  };
  made.set(registry, descriptions);
  return descriptions;
}

const builtIn = (): KindRegistry => kindsFor(namesFor('orch.io'));

const entry = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

/** Returns the description of a struct in one or two sentences. */
export const structText = (struct: string, kinds = builtIn()): string | undefined => entry(entry(descriptionsOf(kinds).texts, struct), '');

/** Returns the description of a field of a struct. */
export function fieldText(struct: string, field: string, kinds = builtIn()): string | undefined {
  const texts = entry(descriptionsOf(kinds).texts, struct);
  return entry(texts, field) ?? (texts === undefined ? undefined : entry(COMMON, field));
}

/**
 * Returns the values of a field with a closed set of values, sorted. A struct that exists in two groups may be named in full:
 * `core.v1.EndpointPort`.
 */
export const fieldValues = (struct: string, field: string, kinds = builtIn()): readonly string[] | undefined =>
  entry(entry(descriptionsOf(kinds).values, struct), field);

/**
 * Returns the protobuf field numbers of a struct, as `metadata=1 spec=2`. A struct that exists in two groups is named with its group:
 * `discovery/EndpointPort`.
 */
export const wireNumbers = (struct: string): string | undefined => entry(descriptionsOf(builtIn()).wire, struct);
