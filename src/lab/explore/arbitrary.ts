/**
 * Values drawn from the schema of a kind by the facets of its fields: enumerations, bounds, defaults, what is required. What facets cannot
 * know (names of other objects, members that must agree) is given as an arbitrary of one's own.
 */
import fc from 'fast-check';
import type { Bound, ObjectShape, Schema } from '../../schema/shape/index.ts';
import { schemaOf } from '../vocabulary.ts';

/** Arbitraries by the name of a field, at any depth, which are used in place of what its facets say; `undefined` leaves the field out. */
export type OwnDraws = Readonly<Record<string, fc.Arbitrary<unknown> | undefined>>;

/** The members of an object that are drawn, by name. */
type Members = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Small numbers reach the edge cases: nothing, one, several, more than most tests have. */
const NUMBERS: readonly number[] = [0, 1, 3, 7];
const SHARES: readonly (number | string)[] = [0, 1, 3, '25%', '40%', '100%'];

const limitOf = (bound: Bound | undefined, none: number): number => (typeof bound === 'object' ? bound[0] : (bound ?? none));

function numberOf(schema: Schema): fc.Arbitrary<unknown> {
  const [min, max] = [limitOf(schema.min, 0), limitOf(schema.max, Infinity)];
  const given = typeof schema.default === 'number' ? [schema.default] : [];
  const within = [...NUMBERS, min, ...given].filter((value) => value >= min && value <= max);
  return fc.constantFrom(...new Set(within));
}

/** Returns an arbitrary of the values of a schema, or undefined for texts, maps and others whose valid values no facet lists. */
function arbitrary(schema: Schema, own: OwnDraws = {}): fc.Arbitrary<unknown> | undefined {
  if (schema.oneOf !== undefined) return fc.constantFrom(...schema.oneOf);
  switch (schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'int32':
    case 'int64':
      return numberOf(schema);
    case 'intOrString':
      return fc.constantFrom(...SHARES);
    case 'list': {
      const items = arbitrary(schema.items, own);
      return items === undefined ? undefined : fc.array(items, { minLength: 1, maxLength: 2 });
    }
    case 'object': {
      const members = membersOf(schema, own);
      return Object.keys(members).length === 0 ? undefined : objectOf(schema, members);
    }
    default:
      return undefined;
  }
}

/** Returns the members of an object that can be drawn: those of `own`, and the others by their facets. */
function membersOf({ fields }: ObjectShape, own: OwnDraws): Members {
  const drawn = Object.entries(fields).map(([name, schema]) => [name, name in own ? own[name] : arbitrary(schema, own)] as const);
  return Object.fromEntries(drawn.flatMap(([name, values]) => (values === undefined ? [] : [[name, values] as const])));
}

/** Returns an arbitrary of objects with these members; a member that is not required is sometimes absent, and shrinks to that. */
function objectOf({ fields }: ObjectShape, members: Members): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  return fc.record(members, { requiredKeys: Object.keys(members).filter((name) => fields[name]?.required === true) });
}

/** The spec of a kind, to be drawn whole, and one member at a time. */
export interface SpecDraws {
  readonly whole: fc.Arbitrary<Readonly<Record<string, unknown>>>;
  /** A changed member, as the spec of a patch. */
  readonly change: fc.Arbitrary<Readonly<Record<string, unknown>>>;
}

/** Returns the draws of a kind's spec. `changes` are draws for changes only: other ones than for the whole, or none for what is immutable. */
export function specOf(kind: string, own: OwnDraws, changes: OwnDraws = {}): SpecDraws {
  const schema = schemaOf(kind);
  const spec = schema?.type === 'object' ? schema.fields['spec'] : undefined;
  if (spec?.type !== 'object') throw new Error(`${kind} has no spec`);
  const changing = Object.entries(membersOf(spec, { ...own, ...changes }));
  return {
    whole: objectOf(spec, membersOf(spec, own)),
    change: fc.oneof(...changing.map(([name, values]) => values.map((value) => ({ [name]: value })))),
  };
}
