/**
 * What the fields of the API mean, in our words: for `explain`, for editors, for `orchsim kinds`. By struct, because structs are shared:
 * a pod is described once, whoever makes it. The exotic volume sources are not described.
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

interface Book {
  readonly texts: Texts;
  readonly values: Values;
  readonly wire: Wire;
}

const made = new WeakMap<KindRegistry, Book>();

/** What all kinds of a registry say and what they share; the names of a domain make no difference to it. */
function bookOf(registry: KindRegistry): Book {
  let book = made.get(registry);
  if (book !== undefined) return book;
  const kinds: readonly Kind[] = registry.list();
  const own = <T>(
    shared: Readonly<Record<string, T>>,
    part: (kind: Kind) => Readonly<Record<string, T>> | undefined,
  ): Readonly<Record<string, T>> => Object.assign({}, shared, ...kinds.map(part)) as Readonly<Record<string, T>>;
  book = {
    texts: own(SHARED_TEXTS, (kind) => kind.texts),
    values: own(SHARED_VALUES, (kind) => kind.values),
    wire: own(SHARED_WIRE, (kind) => kind.wire),
  };
  made.set(registry, book);
  return book;
}

const builtIn = (): KindRegistry => kindsFor(namesFor('orch.io'));

const entry = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

/** What a struct is, as one sentence or two. */
export const structText = (struct: string, kinds = builtIn()): string | undefined => entry(entry(bookOf(kinds).texts, struct), '');

/** What a field of a struct means. */
export function fieldText(struct: string, field: string, kinds = builtIn()): string | undefined {
  const texts = entry(bookOf(kinds).texts, struct);
  return entry(texts, field) ?? (texts === undefined ? undefined : entry(COMMON, field));
}

/**
 * The values that a field may have, sorted, where they are a closed set. A struct that two groups have may be named in full:
 * `core.v1.EndpointPort`.
 */
export const fieldValues = (struct: string, field: string, kinds = builtIn()): readonly string[] | undefined =>
  entry(entry(bookOf(kinds).values, struct), field);

/**
 * The numbers of a struct's fields in protobuf, as `metadata=1 spec=2`; one that two groups have is named with its group:
 * `discovery/EndpointPort`.
 */
export const wireNumbers = (struct: string): string | undefined => entry(bookOf(builtIn()).wire, struct);
