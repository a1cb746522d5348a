/** Checks a located value against a field and reads it: every problem is reported with its position, and the valid parts are returned. */
import { MODELLED, renamedKey, UPSTREAM_ONLY } from './not-modelled.ts';
import { nearest } from '../../schema/values/index.ts';
import { note, quoted, type CheckContext, type MapNode } from './context.ts';
import { describeField, oneOf, shapeOf } from './field-types.ts';
import { type Field, type Fields, nameOf, type Value } from './fields.ts';
import { TARGET_FIELDS } from './format.ts';
import { parseInstant, parseTarget } from './targets.ts';
import { joinPath, showValue, positionOf, type Located } from '../../schema/yaml/index.ts';
import { readAgentConfig, readFlagsOf } from './read-config.ts';
import { endOfCut, readExpression } from './read-expression.ts';
import { readDocument, readManifests, readMatch } from './read-manifests.ts';
import {
  closestBoolean,
  readDuration,
  readInteger,
  readInvariantPattern,
  readName,
  readQuantity,
  readString,
  showScalar,
} from './read-scalars.ts';
import { parseRecorded, RECORDED_LINE, type RecordedWrite } from './recorded-writes.ts';
import type { FaultCall, TargetRef } from './values.ts';

type ObjectField = Field & { readonly type: 'object' };

/** Returns the value of a node; undefined: it does not have the form of the field, and a problem was reported. */
export function check<const F extends Field>(field: F, node: Located, path: string, context: CheckContext): Value<F> | undefined {
  // `Value` gives the type of each reader's result; TypeScript cannot infer it through the switch.
  return read(field, node, path, context) as Value<F> | undefined;
}

type Reader<F extends Field> = (field: F, node: Located, path: string, context: CheckContext) => unknown;

/** Reports that a value does not have the form of its field. */
const refuseBy =
  (field: Field, node: Located, path: string, context: CheckContext) =>
  (suggestion?: string, expected = describeField(field)): undefined =>
    note(context, node, path, expected, field.type === 'integer' ? showScalar(node) : showValue(node.plain), suggestion);

const READERS: { readonly [T in Field['type']]: Reader<Extract<Field, { readonly type: T }>> } = {
  any: (_, node) => node.plain,
  string: readString,
  boolean: (field, node, ...at) =>
    typeof node.plain === 'boolean' ? node.plain : refuseBy(field, node, ...at)(closestBoolean(node.plain)),
  integer: (field, node, ...at) => readInteger(field, node, refuseBy(field, node, ...at)),
  duration: (field, node, ...at) => readDuration(node, refuseBy(field, node, ...at)),
  instant: (field, node, ...at) =>
    (typeof node.plain === 'string' ? parseInstant(node.plain) : undefined) ?? refuseBy(field, node, ...at)(),
  recordedWrites: readRecorded,
  quantity: (field, node, ...at) => readQuantity(node, refuseBy(field, node, ...at)),
  name: readName,
  invariantPattern: (_, ...at) => readInvariantPattern(...at),
  map: readMap,
  list: readList,
  object: readObject,
  either: readEither,
  expression: ({ about }, node, path, context) => readExpression(about, node, path, context, about === 'self' ? context.self : undefined),
  target: ({ kind }, ...at) => readTargetOf(kind, ...at),
  match: (_, ...at) => readMatch(...at),
  manifests: (are, ...at) => readManifests(...at, are),
  document: (_, ...at) => readDocument(...at),
  agentConfig: (_, ...at) => readAgentConfig(...at),
  schedulerFlags: (_, ...at) => readFlagsOf('scheduler', ...at),
  agentFlags: (_, ...at) => readFlagsOf('agent', ...at),
  fault: (_, ...at) => readFault(...at),
};

// Every field has the reader of its own type, which TypeScript cannot infer of a union.
const read: Reader<Field> = (field, ...at) => (READERS[field.type] as Reader<Field>)(field, ...at);

/** So many lines that are no writes are reported. */
const MOST_LINES = 20;

function readRecorded(field: Field, node: Located, path: string, context: CheckContext): readonly RecordedWrite[] | undefined {
  if (typeof node.plain !== 'string') return note(context, node, path, describeField(field), showValue(node.plain));
  const { file, line, col } = positionOf(node);
  // The first line of a block stands below its sign.
  let count = 0;
  return parseRecorded(node.plain, (nth, found) => {
    if (count++ < MOST_LINES) note(context, { file, line: line + nth, col }, path, RECORDED_LINE, showValue(found));
  });
}

function readMap(field: Field & { readonly type: 'map' }, node: Located, path: string, context: CheckContext): object | undefined {
  if (node.shape !== 'map') return note(context, node, path, describeField(field), showValue(node.plain));
  const values: [string, unknown][] = [];
  for (const [key, entry] of node.entries) {
    const inner = joinPath(path, key);
    if (field.keys !== undefined && !context.vocabulary[field.keys].includes(key)) {
      note(
        context,
        node.source.at(entry.keyStart),
        inner,
        'a feature gate',
        showValue(key),
        quoted(nearest(key, context.vocabulary[field.keys])),
      );
      continue;
    }
    const value = read(field.values, entry.value, inner, context);
    if (value !== undefined) values.push([key, value]);
  }
  return Object.fromEntries(values);
}

function readList(
  field: Field & { readonly type: 'list' },
  node: Located,
  path: string,
  context: CheckContext,
): readonly unknown[] | undefined {
  if (node.shape !== 'list') {
    const single =
      field.orOne === true
        ? read(field.items, node, path, context)
        : note(context, node, path, describeField(field), showValue(node.plain));
    return single === undefined ? undefined : [single];
  }
  if (node.items.length < (field.minItems ?? 0))
    return note(
      context,
      node,
      path,
      field.minItems === 1 ? 'at least one item' : `at least ${field.minItems ?? 0} items`,
      lengthOf(node.items),
    );
  if (node.items.length > (field.maxItems ?? Infinity))
    return note(context, node, path, `at most ${field.maxItems ?? 0} items`, lengthOf(node.items));
  return node.items.map((item, index) => read(field.items, item, joinPath(path, index), context)).filter((value) => value !== undefined);
}

const lengthOf = ({ length }: readonly unknown[]): string => (length === 0 ? 'an empty list' : `a list of ${length}`);

/** Returns the members that could be read; undefined: the node is no mapping, or a required member is missing. */
function readObject(field: ObjectField, node: Located, path: string, context: CheckContext): object | undefined {
  if (node.shape !== 'map')
    return note(context, node, path, `${describeField(field)} with ${oneOf(Object.keys(field.fields).slice(0, 8))}`, showValue(node.plain));
  const values = readMembers(field.fields, node, path, context);
  checkGroups(field, node, path, context);
  if (values !== undefined) context.places.set(values, positionOf(node));
  return values;
}

function readMembers(fields: Fields, node: MapNode, path: string, context: CheckContext, named = nameOf): object | undefined {
  const values: [string, unknown][] = [];
  const names = Object.keys(fields);
  const unknown: (string | undefined)[] = [];
  let complete = true;
  let cutUntil = 0;
  for (const [key, entry] of node.entries) {
    const inner = joinPath(path, key);
    const member = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (member === undefined) {
      // The rest of an unquoted expression, which has its own problem.
      if (entry.keyStart < cutUntil) continue;
      const meant = renamedKey(key, names) ?? nearest(key, names);
      unknown.push(meant);
      note(context, node.source.at(entry.keyStart), inner, oneOf(names), `the unknown key ${showValue(key)}`, quoted(meant));
      continue;
    }
    if (member.type === 'expression') cutUntil = endOfCut(entry.value) ?? cutUntil;
    const value = read(member, entry.value, inner, context);
    if (value !== undefined) values.push([named(key, member), value]);
    else if (member.needed === true) complete = false;
  }
  for (const [name, member] of Object.entries(fields)) {
    if (member.needed !== true || node.entries.has(name)) continue;
    complete = false;
    // Misspelt, or put in other words: that has its problem.
    if (unknown.includes(name) || unknown.includes(undefined)) continue;
    note(context, node, joinPath(path, name), describeField(member), 'nothing');
  }
  return complete ? Object.fromEntries(values) : undefined;
}

/** Checks groups of members of which exactly one, at least one, or at most one is required. */
function checkGroups(field: ObjectField, node: MapNode, path: string, context: CheckContext): void {
  const present = (names: readonly string[]) => names.filter((name) => node.entries.has(name));
  // A misspelt member has its own problem, which is more informative.
  const misspelt = [...node.entries.keys()].some((key) => !Object.hasOwn(field.fields, key));
  const isAlone = Object.entries(field.needs ?? {}).some(([name, other]) => node.entries.has(name) && !node.entries.has(other));
  for (const least of [field.exactlyOneOf, field.atLeastOneOf]) {
    if (least !== undefined && present(least).length === 0 && !misspelt && !isAlone)
      note(context, node, path, oneOf(least), showValue(node.plain));
  }
  for (const group of [...(field.exactlyOneOf === undefined ? [] : [field.exactlyOneOf]), ...(field.atMostOneOf ?? [])]) {
    const [, second] = present(group);
    const entry = second === undefined ? undefined : node.entries.get(second);
    if (entry !== undefined)
      note(context, node.source.at(entry.keyStart), path, `only one of ${group.join(', ')}`, present(group).join(' and '));
  }
  for (const [name, other] of Object.entries(field.needs ?? {})) {
    const entry = node.entries.get(name);
    if (entry !== undefined && !node.entries.has(other) && !misspelt)
      note(context, node.source.at(entry.keyStart), path, `${other} beside ${name}`, `${name} alone`);
  }
}

function readEither(field: Field & { readonly type: 'either' }, node: Located, path: string, context: CheckContext): unknown {
  const fits = field.forms.filter((form) => shapeOf(form) === node.shape || form.type === 'target');
  // A target may also be a mapping; the other form is recognized by its required member.
  const own =
    node.shape === 'map'
      ? fits.find(
          (each) =>
            each.type === 'object' && Object.entries(each.fields).some(([name, { needed }]) => needed === true && node.entries.has(name)),
        )
      : undefined;
  const form = own ?? fits.find((each) => fits.length > 1 && each.type === 'target') ?? fits[0];
  return form === undefined ? note(context, node, path, describeField(field), showValue(node.plain)) : read(form, node, path, context);
}

function readTargetOf(kind: string | undefined, node: Located, path: string, context: CheckContext): TargetRef | undefined {
  const bare = typeof node.plain === 'string' && !node.plain.includes('/') && !context.vocabulary.kinds.includes(node.plain);
  // kubectl names a node without a kind.
  if (kind !== undefined && bare) return note(context, node, path, `a ${kind}`, showValue(node.plain), quoted(`${kind}/${node.plain}`));
  const target = readTarget(node, path, context);
  if (kind === undefined || target === undefined || target.kind === kind) return target;
  return note(context, node, path, `a ${kind}`, showValue(node.plain));
}

function readTarget(node: Located, path: string, context: CheckContext): TargetRef | undefined {
  if (node.shape === 'map') {
    const kind: unknown = node.plain['kind'];
    return check(
      {
        type: 'object',
        says: 'A target.',
        fields: TARGET_FIELDS,
        atMostOneOf: [
          ['name', 'labels'],
          ['name', 'nth'],
        ],
      },
      node,
      path,
      { ...context, self: typeof kind === 'string' ? kind : undefined },
    );
  }
  const target = typeof node.plain === 'string' ? parseTarget(node.plain) : undefined;
  if (target === undefined) return note(context, node, path, describeField({ type: 'target' }), showValue(node.plain));
  if (context.vocabulary.kinds.includes(target.kind)) return target;
  if (UPSTREAM_ONLY.has(target.kind)) return note(context, node, path, MODELLED, `${showValue(target.kind)}, which is not modelled`);
  const kind = nearest(target.kind, context.vocabulary.kinds);
  return note(
    context,
    node,
    path,
    'a kind before the first /',
    showValue(node.plain),
    kind === undefined ? undefined : quoted(String(node.plain).replace(target.kind, () => kind)),
  );
}

function readFault(node: Located, path: string, context: CheckContext): FaultCall | undefined {
  if (node.shape !== 'map') return note(context, node, path, 'a mapping with the name of a fault', showValue(node.plain));
  const { faults } = context.vocabulary;
  const names = faults.map((fault) => fault.name);
  const spec = faults.find((fault) => node.entries.has(fault.name));
  if (spec === undefined) {
    const [key] = node.entries.keys();
    const at = key === undefined ? node : node.source.at(node.entries.get(key)?.keyStart ?? node.start);
    return note(
      context,
      at,
      path,
      `the name of a fault (${names.join(', ')})`,
      showValue(key),
      quoted(key === undefined ? undefined : nearest(key, names)),
    );
  }
  // Faults of users read their parameters by these names, so durations keep theirs.
  const fields = { ...spec.parameters, [spec.name]: { ...spec.subject, needed: true as const } };
  const values = readMembers(fields, node, path, context, (name) => name);
  if (values === undefined) return undefined;
  const { [spec.name]: subject, ...parameters } = values as Record<string, unknown>;
  return { name: spec.name, subject, parameters };
}
