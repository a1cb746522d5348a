/**
 * Assistance at a position of a scenario file, for editors: the names that are valid there, and the meaning of the one under the cursor. It
 * reads lines and not YAML, because a text that is being typed is not valid YAML: the position follows from the keys on earlier lines with
 * less indentation.
 */
import type { Schema } from '../../schema/shape/index.ts';
import { describeField } from './field-types.ts';
import type { Field, Vocabulary } from './fields.ts';
import { SCENARIO, SCENARIO_KIND, TARGET_FIELDS } from './format.ts';
import { cursorContextAt } from './cursor-context.ts';

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
  readonly hover?: string;
}

/** A part of the scenario format, or of the schema of a kind. */
interface Place {
  readonly part: Field | Schema;
  readonly ofKind: boolean;
}

/** Returns the assistance at a position, lines and columns from 1. */
export function assistAt(text: string, line: number, col: number, vocabulary: Vocabulary): Assistance {
  const cursor = cursorContextAt(text, line, col);
  if (cursor === undefined) return { from: col, suggestions: [] };
  /** Returns the forms of a value: the items of a list, and the schema of a kind for an object. */
  const formsOf = ({ part, ofKind }: Place): readonly Place[] => {
    switch (part.type) {
      case 'list':
        return formsOf({ part: part.items, ofKind });
      case 'either':
        return part.forms.flatMap((form) => formsOf({ part: form, ofKind }));
      case 'match':
      case 'manifests':
        return placeOfKind(cursor.objectKind, vocabulary).flatMap(formsOf);
      default:
        return [{ part, ofKind }];
    }
  };
  const root = cursor.kind === undefined || cursor.kind === SCENARIO_KIND ? [{ part: SCENARIO, ofKind: false }] : undefined;
  const into = (places: readonly Place[], key: string): readonly Place[] =>
    places.flatMap(formsOf).flatMap(({ part, ofKind }): readonly Place[] => {
      const member = part.type === 'map' ? part.values : membersIn(part, vocabulary)[key];
      return member === undefined ? [] : [{ part: member, ofKind }];
    });
  const at = cursor.path.reduce(into, root ?? placeOfKind(cursor.kind, vocabulary));
  const named = cursor.key === undefined ? [] : into(at, cursor.key);
  const all =
    cursor.value === undefined
      ? at.flatMap(formsOf).flatMap((form) => membersOf(form, vocabulary))
      : named.flatMap(formsOf).flatMap((form) => valuesOf(form, vocabulary));
  const typed = cursor.value ?? cursor.typed;
  const [first] = named;
  return {
    from: cursor.from,
    suggestions: unique(all).filter(({ name }) => name.startsWith(typed) && name !== typed && !cursor.siblings.includes(name)),
    ...(first === undefined ? {} : { hover: saysOf(first) }),
  };
}

function placeOfKind(kind: string | undefined, { schemaOf }: Vocabulary): readonly Place[] {
  const schema = kind === undefined ? undefined : schemaOf?.(kind);
  return schema === undefined ? [] : [{ part: schema, ofKind: true }];
}

/** Returns the members of a mapping by name, in an object without a prototype, because names come from a text. */
function membersIn(part: Field | Schema, { faults }: Vocabulary): Readonly<Record<string, Field | Schema | undefined>> {
  const fields =
    part.type === 'object'
      ? [part.fields]
      : part.type === 'target'
        ? [TARGET_FIELDS]
        : part.type === 'fault'
          ? faults.map(({ name, subject, parameters, description }) => ({ ...parameters, [name]: { ...subject, says: description } }))
          : [];
  return Object.assign(Object.create(null), ...fields) as Readonly<Record<string, Field | Schema | undefined>>;
}

function membersOf({ part, ofKind }: Place, vocabulary: Vocabulary): readonly Suggestion[] {
  if (part.type === 'map') return 'keys' in part && part.keys !== undefined ? vocabulary[part.keys].map(bare) : [];
  return Object.entries(membersIn(part, vocabulary)).flatMap(([name, member]) =>
    member === undefined ? [] : [{ name, says: saysOf({ part: member, ofKind }), required: !ofKind && member.needed === true }],
  );
}

const bare = (name: string): Suggestion => ({ name, says: '', required: false });

function valuesOf({ part }: Place, vocabulary: Vocabulary): readonly Suggestion[] {
  if (part.type === 'boolean') return ['true', 'false'].map(bare);
  if (part.type === 'string') return (amongOf(part) ?? []).map(bare);
  if (part.type === 'name') return vocabulary[part.of].map(bare);
  return part.type === 'invariantPattern' ? vocabulary.invariants.map(bare) : [];
}

const amongOf = (part: { readonly among?: readonly string[]; readonly oneOf?: readonly string[] }): readonly string[] | undefined =>
  part.oneOf ?? part.among;

/** The meaning of a field of a kind, its type, and the values of a closed set. */
function saysOf({ part, ofKind }: Place): string {
  if (!ofKind) return `${part.says ?? ''} Wants ${describeField(part as Field)}.`;
  const among = part.type === 'string' ? amongOf(part) : undefined;
  return `${part.says === undefined ? '' : `${part.says} `}(${among === undefined ? part.type : among.join(', ')})`;
}

function unique(all: readonly Suggestion[]): readonly Suggestion[] {
  const seen = new Map<string, Suggestion>();
  for (const each of all) if (!seen.has(each.name)) seen.set(each.name, each);
  return [...seen.values()];
}
