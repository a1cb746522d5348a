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
} from '../vocabulary/index.ts';
import { kindsFor } from './registry.ts';

interface Book {
  readonly texts: Texts;
  readonly values: Values;
  readonly wire: Wire;
}

let made: Book | undefined;

/** What all kinds say and what they share; the names of a domain make no difference to it. */
function book(): Book {
  if (made !== undefined) return made;
  const kinds: readonly Kind[] = kindsFor(namesFor('orch.io')).list();
  const own = <T>(
    shared: Readonly<Record<string, T>>,
    part: (kind: Kind) => Readonly<Record<string, T>> | undefined,
  ): Readonly<Record<string, T>> => Object.assign({}, shared, ...kinds.map(part)) as Readonly<Record<string, T>>;
  made = {
    texts: own(SHARED_TEXTS, (kind) => kind.texts),
    values: own(SHARED_VALUES, (kind) => kind.values),
    wire: own(SHARED_WIRE, (kind) => kind.wire),
  };
  return made;
}

const entry = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

/** What a struct is, as one sentence or two. */
export const structText = (struct: string): string | undefined => entry(entry(book().texts, struct), '');

/** What a field of a struct means. */
export function fieldText(struct: string, field: string): string | undefined {
  const texts = entry(book().texts, struct);
  return entry(texts, field) ?? (texts === undefined ? undefined : entry(COMMON, field));
}

/** The values that a field may have, sorted, where they are a closed set. A struct that two groups have may be named in full: `core.v1.EndpointPort`. */
export const fieldValues = (struct: string, field: string): readonly string[] | undefined => entry(entry(book().values, struct), field);

/** The numbers of a struct's fields in protobuf, as `metadata=1 spec=2`; one that two groups have is named with its group: `discovery/EndpointPort`. */
export const wireNumbers = (struct: string): string | undefined => entry(book().wire, struct);
