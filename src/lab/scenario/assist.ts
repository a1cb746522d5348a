/**
 * Assistance at a position of a scenario file, for editors: the names that are valid there, and the meaning of the one under the cursor. It
 * reads lines and not YAML, because a text that is being typed is not valid YAML: the position follows from the keys on earlier lines with
 * less indentation.
 */
import type { Schema } from '../../schema/shape/index.ts';
import { describeField } from './field-types.ts';
import type { Field, Fields, Vocabulary } from './fields.ts';
import { SCENARIO, SCENARIO_KIND, TARGET_FIELDS } from './format.ts';
import { cursorContextAt, type CursorContext } from './cursor-context.ts';

/** A completion. */
export interface Suggestion {
  readonly name: string;
  /** The valid values, and their meaning. */
  readonly says: string;
  readonly required: boolean;
}

/** Completions and a hover text for a position of a file. */
export interface Assistance {
  /** The column at which the typed word begins, from 1. */
  readonly from: number;
  readonly suggestions: readonly Suggestion[];
  /** The description of the word under the cursor. */
  readonly hover?: string;
}

/** A position in the scenario format, or in the schema of an object. */
type Place = { readonly field: Field } | { readonly schema: Schema };

/** Returns the assistance at a position, lines and columns from 1. */
export function assistAt(text: string, line: number, col: number, vocabulary: Vocabulary): Assistance {
  const cursorContext = cursorContextAt(text, line, col);
  if (cursorContext === undefined) return { from: col, suggestions: [] };
  const root: Place | undefined = rootOf(cursorContext, vocabulary);
  const at = cursorContext.path.reduce<readonly Place[]>(
    (places, key) => places.flatMap((place) => into(place, key, cursorContext, vocabulary)),
    root ? [root] : [],
  );
  const named =
    cursorContext.key === undefined ? [] : at.flatMap((place) => into(place, cursorContext.key ?? '', cursorContext, vocabulary));
  const all =
    cursorContext.value === undefined
      ? at.flatMap((place) => membersOf(place, cursorContext, vocabulary))
      : named.flatMap((place) => valuesOf(place, vocabulary));
  const typed = cursorContext.value ?? cursorContext.typed;
  const [first] = named;
  return {
    from: cursorContext.from,
    suggestions: unique(all).filter(({ name }) => name.startsWith(typed) && name !== typed && !cursorContext.siblings.includes(name)),
    ...(first === undefined ? {} : { hover: saysOf(first) }),
  };
}

function rootOf({ kind }: CursorContext, { schemaOf }: Vocabulary): Place | undefined {
  if (kind === undefined || kind === SCENARIO_KIND) return { field: SCENARIO };
  const schema = schemaOf?.(kind);
  return schema === undefined ? undefined : { schema };
}

function into(place: Place, key: string, cursorContext: CursorContext, vocabulary: Vocabulary): readonly Place[] {
  if ('schema' in place) return intoSchema(place.schema, key);
  const { field } = place;
  if (field.type === 'list') return into({ field: field.items }, key, cursorContext, vocabulary);
  if (field.type === 'either') return field.forms.flatMap((form) => into({ field: form }, key, cursorContext, vocabulary));
  if (field.type === 'map') return [{ field: field.values }];
  if (field.type === 'match' || field.type === 'manifests') {
    const schema = cursorContext.objectKind === undefined ? undefined : vocabulary.schemaOf?.(cursorContext.objectKind);
    return schema === undefined ? [] : intoSchema(schema, key);
  }
  const member = membersIn(field, vocabulary)[key];
  return member === undefined ? [] : [{ field: member }];
}

function intoSchema(schema: Schema, key: string): readonly Place[] {
  if (schema.type === 'list') return intoSchema(schema.items, key);
  if (schema.type === 'map') return [{ schema: schema.values }];
  if (schema.type !== 'object') return [];
  const member = Object.hasOwn(schema.fields, key) ? schema.fields[key] : undefined;
  return member === undefined ? [] : [{ schema: member }];
}

/** Returns the members of a mapping by name, in an object without a prototype, because names come from a text. */
function membersIn(field: Field, { faults }: Vocabulary): Readonly<Record<string, Field | undefined>> {
  const members = (fields: Fields) => Object.assign(Object.create(null), fields) as Readonly<Record<string, Field | undefined>>;
  if (field.type === 'object') return members(field.fields);
  if (field.type === 'target') return members(TARGET_FIELDS);
  if (field.type !== 'fault') return members({});
  return members(
    Object.assign(
      {},
      ...faults.map(({ name, subject, parameters, description }) => ({ ...parameters, [name]: { ...subject, description } })),
    ),
  );
}

function membersOf(place: Place, cursorContext: CursorContext, vocabulary: Vocabulary): readonly Suggestion[] {
  if ('schema' in place) return schemaMembers(place.schema);
  const { field } = place;
  if (field.type === 'list') return membersOf({ field: field.items }, cursorContext, vocabulary);
  if (field.type === 'either') return field.forms.flatMap((form) => membersOf({ field: form }, cursorContext, vocabulary));
  if (field.type === 'match' || field.type === 'manifests') {
    const schema = cursorContext.objectKind === undefined ? undefined : vocabulary.schemaOf?.(cursorContext.objectKind);
    return schema === undefined ? [] : schemaMembers(schema);
  }
  if (field.type === 'map' && field.keys !== undefined) return vocabulary[field.keys].map(bare);
  return Object.entries(membersIn(field, vocabulary)).flatMap(([name, member]) =>
    member === undefined ? [] : [{ name, says: saysOf({ field: member }), required: member.required === true }],
  );
}

function schemaMembers(schema: Schema): readonly Suggestion[] {
  if (schema.type === 'list') return schemaMembers(schema.items);
  return schema.type === 'object'
    ? Object.entries(schema.fields).map(([name, member]) => ({ name, says: saysOf({ schema: member }), required: false }))
    : [];
}

const bare = (name: string): Suggestion => ({ name, says: '', required: false });

function valuesOf(place: Place, vocabulary: Vocabulary): readonly Suggestion[] {
  if ('schema' in place) return place.schema.type === 'boolean' ? ['true', 'false'].map(bare) : [];
  const { field } = place;
  if (field.type === 'boolean') return ['true', 'false'].map(bare);
  if (field.type === 'string') return (field.enum ?? []).map(bare);
  if (field.type === 'name') return vocabulary[field.of].map(bare);
  if (field.type === 'invariantPattern') return vocabulary.invariants.map(bare);
  if (field.type === 'list') return valuesOf({ field: field.items }, vocabulary);
  return field.type === 'either' ? field.forms.flatMap((form) => valuesOf({ field: form }, vocabulary)) : [];
}

const saysOf = (place: Place): string =>
  'schema' in place ? place.schema.type : `${place.field.description} Wants ${describeField(place.field)}.`;

function unique(all: readonly Suggestion[]): readonly Suggestion[] {
  const seen = new Map<string, Suggestion>();
  for (const each of all) if (!seen.has(each.name)) seen.set(each.name, each);
  return [...seen.values()];
}
