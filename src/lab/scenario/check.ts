/** Checks a located value against a field and reads it: every problem is reported with its position, and the valid parts are returned. */
import { MODELLED, renamedKey, UPSTREAM_ONLY } from './not-modelled.ts';
import { nearest } from '../../schema/values/index.ts';
import { quoted, Reading, type MapNode } from './context.ts';
import { describeField, oneOf, shapeOf } from './field-types.ts';
import { type Field, type Fields, nameOf, type Value } from './fields.ts';
import { TARGET_FIELDS } from './format.ts';
import { parseInstant, parseTarget } from './targets.ts';
import { joinPath, showValue, positionOf } from '../../schema/yaml/index.ts';
import { readAgentConfig, readFlagsOf } from './read-config.ts';
import { endOfCut, readExpression } from './read-expression.ts';
import { readDocument, readManifests, readMatch } from './read-manifests.ts';
import { closestBoolean, readDuration, readInteger, readInvariantPattern, readName, readQuantity, readString } from './read-scalars.ts';
import { parseRecorded, RECORDED_LINE, type RecordedWrite } from './recorded-writes.ts';
import type { FaultCall, TargetRef } from './values.ts';

type ObjectField = Field & { readonly type: 'object' };

/** Returns the value of a node; undefined: it does not have the form of the field, and a problem was reported. */
export function check<const F extends Field>(field: F, at: Reading): Value<F> | undefined {
  // `Value` gives the type of each reader's result; TypeScript cannot infer it through the table.
  return read(field, at) as Value<F> | undefined;
}

type Reader<F extends Field> = (field: F, at: Reading) => unknown;

const READERS: { readonly [T in Field['type']]: Reader<Extract<Field, { readonly type: T }>> } = {
  any: (_, { plain }) => plain,
  string: readString,
  boolean: (field, at) => (typeof at.plain === 'boolean' ? at.plain : at.refuse(describeField(field), undefined, closestBoolean(at.plain))),
  integer: readInteger,
  duration: readDuration,
  instant: (field, at) => (typeof at.plain === 'string' ? parseInstant(at.plain) : undefined) ?? at.refuse(describeField(field)),
  recordedWrites: readRecorded,
  quantity: readQuantity,
  name: readName,
  invariantPattern: readInvariantPattern,
  map: readMap,
  list: readList,
  object: readObject,
  either: readEither,
  expression: ({ about }, at) => readExpression(about, at, about === 'self' ? at.context.self : undefined),
  target: readTargetOf,
  match: (_, at) => readMatch(at),
  manifests: (are, at) => readManifests(at, are),
  document: (_, at) => readDocument(at),
  agentConfig: (_, at) => readAgentConfig(at),
  schedulerFlags: (_, at) => readFlagsOf('scheduler', at),
  agentFlags: (_, at) => readFlagsOf('agent', at),
  fault: (_, at) => readFault(at),
};

// Every field has the reader of its own type, which TypeScript cannot infer of a union.
const read: Reader<Field> = (field, at) => (READERS[field.type] as Reader<Field>)(field, at);

/** So many lines that are no writes are reported. */
const MOST_LINES = 20;

function readRecorded(field: Field, at: Reading): readonly RecordedWrite[] | undefined {
  if (typeof at.plain !== 'string') return at.refuse(describeField(field));
  const { file, line, col } = positionOf(at.node);
  // The first line of a block stands below its sign.
  let count = 0;
  return parseRecorded(at.plain, (nth, found) => {
    if (count++ < MOST_LINES) at.refuseAt({ file, line: line + nth, col }, at.path, RECORDED_LINE, showValue(found));
  });
}

function readMap(field: Field & { readonly type: 'map' }, at: Reading): object | undefined {
  const { node, path, context } = at;
  if (node.shape !== 'map') return at.refuse(describeField(field));
  const known = field.keys === undefined ? undefined : context.vocabulary[field.keys];
  const values: [string, unknown][] = [];
  for (const [key, entry] of node.entries) {
    const inner = new Reading(entry.value, joinPath(path, key), context);
    const isKnown = known?.includes(key) !== false;
    if (!isKnown) at.refuseKey(key, inner.path, 'a feature gate', showValue(key), quoted(nearest(key, known ?? [])));
    const value = isKnown ? read(field.values, inner) : undefined;
    if (value !== undefined) values.push([key, value]);
  }
  return Object.fromEntries(values);
}

function readList(field: Field & { readonly type: 'list' }, at: Reading): readonly unknown[] | undefined {
  const { items, orOne, minItems = 0, maxItems = Infinity } = field;
  if (at.node.shape !== 'list') {
    const single = orOne === true ? read(items, at) : at.refuse(describeField(field));
    return single === undefined ? undefined : [single];
  }
  const { length } = at.node.items;
  const found = length === 0 ? 'an empty list' : `a list of ${length}`;
  if (length < minItems) return at.refuse(minItems === 1 ? 'at least one item' : `at least ${minItems} items`, found);
  if (length > maxItems) return at.refuse(`at most ${maxItems} items`, found);
  return at
    .items()
    .map((item) => read(items, item))
    .filter((value) => value !== undefined);
}

/** Returns the members that could be read; undefined: the node is no mapping, or a required member is missing. */
function readObject(field: ObjectField, at: Reading): object | undefined {
  const { node } = at;
  if (node.shape !== 'map') return at.refuse(`${describeField(field)} with ${oneOf(Object.keys(field.fields).slice(0, 8))}`);
  const values = readMembers(field.fields, at, node);
  checkGroups(field, at, node);
  if (values !== undefined) at.context.places.set(values, positionOf(node));
  return values;
}

function readMembers(fields: Fields, at: Reading, node: MapNode, named = nameOf): object | undefined {
  const values: [string, unknown][] = [];
  const names = Object.keys(fields);
  const unknown = new Set<string | undefined>();
  let complete = true;
  let cutUntil = 0;
  for (const [key, entry] of node.entries) {
    const inner = new Reading(entry.value, joinPath(at.path, key), at.context);
    const member = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (member === undefined) {
      // The rest of an unquoted expression, which has its own problem.
      if (entry.keyStart < cutUntil) continue;
      const meant = renamedKey(key, names) ?? nearest(key, names);
      unknown.add(meant);
      at.refuseKey(key, inner.path, oneOf(names), `the unknown key ${showValue(key)}`, quoted(meant));
      continue;
    }
    if (member.type === 'expression') cutUntil = endOfCut(entry.value) ?? cutUntil;
    const value = read(member, inner);
    if (value !== undefined) values.push([named(key, member), value]);
    else if (member.needed === true) complete = false;
  }
  for (const [name, member] of Object.entries(fields)) {
    if (member.needed !== true || node.entries.has(name)) continue;
    complete = false;
    // Misspelt, or put in other words: that has its problem.
    if (unknown.has(name) || unknown.has(undefined)) continue;
    at.refuseAt(node, joinPath(at.path, name), describeField(member), 'nothing');
  }
  return complete ? Object.fromEntries(values) : undefined;
}

/** Checks groups of members of which exactly one, at least one, or at most one is required. */
function checkGroups(
  { fields, exactlyOneOf, atLeastOneOf, atMostOneOf = [], needs = {} }: ObjectField,
  at: Reading,
  { entries }: MapNode,
): void {
  const present = (names: readonly string[]) => names.filter((name) => entries.has(name));
  // A misspelt member has its own problem, which is more informative.
  const misspelt = [...entries.keys()].some((key) => !Object.hasOwn(fields, key));
  const alone = Object.entries(needs).filter(([name, other]) => entries.has(name) && !entries.has(other));
  for (const least of [exactlyOneOf, atLeastOneOf])
    if (least !== undefined && present(least).length === 0 && !misspelt && alone.length === 0) at.refuse(oneOf(least));
  for (const group of [...(exactlyOneOf === undefined ? [] : [exactlyOneOf]), ...atMostOneOf]) {
    const [, second] = present(group);
    if (second !== undefined) at.refuseKey(second, at.path, `only one of ${group.join(', ')}`, present(group).join(' and '));
  }
  for (const [name, other] of misspelt ? [] : alone) at.refuseKey(name, at.path, `${other} beside ${name}`, `${name} alone`);
}

function readEither(field: Field & { readonly type: 'either' }, at: Reading): unknown {
  const { node } = at;
  const fits = field.forms.filter((form) => shapeOf(form) === node.shape || form.type === 'target');
  // A target may also be a mapping; the other form is recognized by its required member.
  const hasRequired = (form: Field): boolean =>
    node.shape === 'map' &&
    form.type === 'object' &&
    Object.entries(form.fields).some(([name, { needed }]) => needed === true && node.entries.has(name));
  const form = fits.find(hasRequired) ?? fits.find((each) => fits.length > 1 && each.type === 'target') ?? fits[0];
  return form === undefined ? at.refuse(describeField(field)) : read(form, at);
}

function readTargetOf({ kind }: Field & { readonly type: 'target' }, at: Reading): TargetRef | undefined {
  const { plain } = at;
  const bare = typeof plain === 'string' && !plain.includes('/') && !at.context.vocabulary.kinds.includes(plain);
  // kubectl names a node without a kind.
  if (kind !== undefined && bare) return at.refuse(`a ${kind}`, undefined, quoted(`${kind}/${plain}`));
  const target = readTarget(at);
  return kind === undefined || target === undefined || target.kind === kind ? target : at.refuse(`a ${kind}`);
}

const TARGET = {
  type: 'object',
  says: 'A target.',
  fields: TARGET_FIELDS,
  atMostOneOf: [
    ['name', 'labels'],
    ['name', 'nth'],
  ],
} as const;

function readTarget(at: Reading): TargetRef | undefined {
  const { node, path, context } = at;
  const { kinds } = context.vocabulary;
  if (node.shape === 'map') {
    const kind: unknown = node.plain['kind'];
    return check(TARGET, new Reading(node, path, { ...context, self: typeof kind === 'string' ? kind : undefined }));
  }
  const target = typeof node.plain === 'string' ? parseTarget(node.plain) : undefined;
  if (target === undefined) return at.refuse(describeField({ type: 'target' }));
  if (kinds.includes(target.kind)) return target;
  if (UPSTREAM_ONLY.has(target.kind)) return at.refuse(MODELLED, `${showValue(target.kind)}, which is not modelled`);
  const kind = nearest(target.kind, kinds);
  const meant = kind === undefined ? undefined : String(node.plain).replace(target.kind, () => kind);
  return at.refuse('a kind before the first /', undefined, quoted(meant));
}

function readFault(at: Reading): FaultCall | undefined {
  const { node, context } = at;
  if (node.shape !== 'map') return at.refuse(describeField({ type: 'fault' }));
  const { faults } = context.vocabulary;
  const names = faults.map((fault) => fault.name);
  const spec = faults.find((fault) => node.entries.has(fault.name));
  if (spec === undefined) {
    const [key] = node.entries.keys();
    const near = key === undefined ? undefined : nearest(key, names);
    return at.refuseKey(key ?? '', at.path, `the name of a fault (${names.join(', ')})`, showValue(key), quoted(near));
  }
  // Faults of users read their parameters by these names, so durations keep theirs.
  const fields = { ...spec.parameters, [spec.name]: { ...spec.subject, needed: true as const } };
  const values = readMembers(fields, at, node, (name) => name);
  if (values === undefined) return undefined;
  const { [spec.name]: subject, ...parameters } = values as Record<string, unknown>;
  return { name: spec.name, subject, parameters };
}
