/** Checks a located value against a field and reads it: every problem is noted with its place, what could be read is returned. */
import { nearest } from '../../cluster/values/suggest.ts';
import { parseQuantity } from '../../cluster/values/quantity.ts';
import type { Expression, FaultCall, Manifest, Position, SourcedManifest, TargetRef } from './types.ts';
import { describeField, oneOf, type Field, type Fields, type Value, type Vocabulary } from './fields.ts';
import { formatDuration, parseDuration } from './durations.ts';
import { compileExpression } from './expressions.ts';
import { parseInstant } from './instants.ts';
import { joinPath, showValue, type Problem } from './problems.ts';
import { parseTarget } from './targets.ts';
import { TARGET_FIELDS } from './format.ts';
import { positionOf, readYaml, type Located } from './yaml.ts';

export interface CheckContext {
  readonly vocabulary: Vocabulary;
  readonly problems: Problem[];
  /** The text of a file named in another one, or undefined if there is none. */
  readonly readFile?: ((path: string, from: string) => string | undefined) | undefined;
  /** Where each mapping that was read stands. */
  readonly places: WeakMap<object, Position>;
}

type MapNode = Located & { readonly shape: 'map' };
type ObjectField = Field & { readonly type: 'object' };

/** The value that stands at a node, or undefined if it is not what the field wants (a problem was noted). */
export function check<const F extends Field>(field: F, node: Located, path: string, context: CheckContext): Value<F> | undefined {
  // The table says what each reader returns; TypeScript cannot follow it through the switch.
  return read(field, node, path, context) as Value<F> | undefined;
}

function read(field: Field, node: Located, path: string, context: CheckContext): unknown {
  const refuse = (suggestion?: string) => note(context, node, path, describeField(field), showValue(node.plain), suggestion);
  switch (field.type) {
    case 'any': return node.plain;
    case 'string': return readString(field, node, path, context);
    case 'boolean': return typeof node.plain === 'boolean' ? node.plain : refuse(closestBoolean(node.plain));
    case 'integer': return isInteger(node.plain, field.minimum, field.maximum) ? node.plain : refuse();
    case 'duration': return readDuration(node, refuse);
    case 'instant': return (typeof node.plain === 'string' ? parseInstant(node.plain) : undefined) ?? refuse();
    case 'quantity': return readQuantity(node, refuse);
    case 'name': return readName(field, node, path, context);
    case 'invariantPattern': return readInvariantPattern(node, path, context);
    case 'map': return readMap(field, node, path, context);
    case 'list': return readList(field, node, path, context);
    case 'object': return readObject(field, node, path, context);
    case 'either': return readEither(field, node, path, context);
    case 'expression': return readExpression(field.about, node, path, context);
    case 'target': return readTarget(node, path, context);
    case 'match': return readMatch(node, path, context);
    case 'manifests': return readManifests(node, path, context, field.lenient === true);
    case 'document': return readDocument(node, path, context);
    case 'fault': return readFault(node, path, context);
    default: return field satisfies never;
  }
}

/** Notes a problem and returns undefined, so that a reader can return it. */
export function note(context: CheckContext, at: Located | Position, path: string, expected: string, found: string, suggestion?: string): undefined {
  const { file, line, col } = 'shape' in at ? positionOf(at) : at;
  context.problems.push({ file, line, col, path, expected, found, ...(suggestion === undefined ? {} : { suggestion }) });
}

const quoted = (name: string | undefined) => (name === undefined ? undefined : JSON.stringify(name));

function readString(field: Field & { readonly type: 'string' }, node: Located, path: string, context: CheckContext): string | undefined {
  const { plain } = node;
  const expected = describeField(field);
  if (typeof plain !== 'string') {
    // Written without quotes, 1 and yes are no texts to this ecosystem's tools.
    const written = node.shape === 'scalar' && plain !== null ? JSON.stringify(node.source.text.slice(node.start, node.end)) : undefined;
    return note(context, node, path, field.enum === undefined && field.pattern === undefined ? 'a text' : expected, showValue(plain), field.enum === undefined ? written : undefined);
  }
  if (field.enum !== undefined && !field.enum.includes(plain)) return note(context, node, path, expected, showValue(plain), quoted(nearest(plain, field.enum)));
  if (field.pattern !== undefined && !new RegExp(field.pattern.source, 'u').test(plain)) return note(context, node, path, expected, showValue(plain));
  return plain;
}

const isInteger = (value: unknown, minimum = -Number.MAX_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum;

const closestBoolean = (value: unknown) => (typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() : undefined);

function readDuration(node: Located, refuse: (suggestion?: string) => undefined): number | undefined {
  const { plain } = node;
  if (plain === 0) return 0;
  if (typeof plain === 'number') return refuse(plain > 0 && Number.isSafeInteger(plain * 1_000) ? formatDuration(plain * 1_000) : undefined);
  return (typeof plain === 'string' ? parseDuration(plain) : undefined) ?? refuse();
}

function readQuantity(node: Located, refuse: () => undefined): string | undefined {
  const text = typeof node.plain === 'number' && node.shape === 'scalar' ? String(node.plain) : node.plain;
  return typeof text === 'string' && parseQuantity(text).value !== undefined ? text : refuse();
}

function readName(field: Field & { readonly type: 'name' }, node: Located, path: string, context: CheckContext): string | undefined {
  const known = context.vocabulary[field.of];
  if (typeof node.plain !== 'string') return note(context, node, path, describeField(field), showValue(node.plain));
  if (known.includes(node.plain)) return node.plain;
  return note(context, node, path, describeField(field), showValue(node.plain), quoted(nearest(node.plain, known)));
}

/** Does a pattern with `*` (anything, slashes too) match a name? */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}

/** The invariants a scenario's patterns select: absent means all; a pattern adds, one with `!` takes away; only `!` patterns start from all. */
export function selectInvariants(patterns: readonly string[] | undefined, names: readonly string[]): readonly string[] {
  if (patterns === undefined) return names;
  const selected = new Set(patterns.every((pattern) => pattern.startsWith('!')) ? names : []);
  for (const pattern of patterns) {
    const away = pattern.startsWith('!');
    for (const name of names) if (matchesPattern(away ? pattern.slice(1) : pattern, name)) (away ? selected.delete(name) : selected.add(name));
  }
  return names.filter((name) => selected.has(name));
}

function readInvariantPattern(node: Located, path: string, context: CheckContext): string | undefined {
  const { plain } = node;
  const known = context.vocabulary.invariants;
  if (typeof plain !== 'string') return note(context, node, path, 'the name or pattern of an invariant', showValue(plain));
  const pattern = plain.startsWith('!') ? plain.slice(1) : plain;
  if (pattern === '*' || known.some((name) => matchesPattern(pattern, name))) return plain;
  return note(context, node, path, pattern.includes('*') ? 'a pattern that matches an invariant' : 'an invariant', showValue(plain), quoted(nearest(pattern, pattern.endsWith('/*') ? groupPatterns(known) : known)));
}

const groupPatterns = (names: readonly string[]) => [...new Set(names.map((name) => `${name.split('/', 1)[0] ?? name}/*`))];

function readMap(field: Field & { readonly type: 'map' }, node: Located, path: string, context: CheckContext): object | undefined {
  if (node.shape !== 'map') return note(context, node, path, describeField(field), showValue(node.plain));
  const values: [string, unknown][] = [];
  for (const [key, entry] of node.entries) {
    const inner = joinPath(path, key);
    if (field.keys !== undefined && !context.vocabulary[field.keys].includes(key)) {
      note(context, node.source.at(entry.keyStart), inner, 'a feature gate', showValue(key), quoted(nearest(key, context.vocabulary[field.keys])));
      continue;
    }
    const value = read(field.values, entry.value, inner, context);
    if (value !== undefined) values.push([key, value]);
  }
  return Object.fromEntries(values);
}

function readList(field: Field & { readonly type: 'list' }, node: Located, path: string, context: CheckContext): readonly unknown[] | undefined {
  if (node.shape !== 'list') {
    const single = field.orOne === true ? read(field.items, node, path, context) : note(context, node, path, describeField(field), showValue(node.plain));
    return single === undefined ? undefined : [single];
  }
  if (node.items.length < (field.minItems ?? 0)) return note(context, node, path, 'at least one item', 'an empty list');
  return node.items.map((item, index) => read(field.items, item, joinPath(path, index), context)).filter((value) => value !== undefined);
}

/** undefined if it is no mapping or lacks something required; otherwise every member that could be read. */
function readObject(field: ObjectField, node: Located, path: string, context: CheckContext): object | undefined {
  if (node.shape !== 'map') return note(context, node, path, `${describeField(field)} with ${oneOf(Object.keys(field.fields).slice(0, 8))}`, showValue(node.plain));
  const values = readMembers(field.fields, node, path, context);
  checkGroups(field, node, path, context);
  if (values !== undefined) context.places.set(values, positionOf(node));
  return values;
}

function readMembers(fields: Fields, node: MapNode, path: string, context: CheckContext): object | undefined {
  const values: [string, unknown][] = [];
  let complete = true;
  for (const [key, entry] of node.entries) {
    const inner = joinPath(path, key);
    const member = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (member === undefined) {
      const names = Object.keys(fields);
      note(context, node.source.at(entry.keyStart), inner, oneOf(names), `the unknown key ${showValue(key)}`, quoted(nearest(key, names)));
      continue;
    }
    const value = read(member, entry.value, inner, context);
    if (value !== undefined) values.push([key, value]);
    else if (member.required === true) complete = false;
  }
  for (const [name, member] of Object.entries(fields)) {
    if (member.required !== true || node.entries.has(name)) continue;
    note(context, node, joinPath(path, name), describeField(member), 'nothing');
    complete = false;
  }
  return complete ? Object.fromEntries(values) : undefined;
}

/** Members of which one must, some must, or only one may be there. */
function checkGroups(field: ObjectField, node: MapNode, path: string, context: CheckContext): void {
  const present = (names: readonly string[]) => names.filter((name) => node.entries.has(name));
  const least = field.exactlyOneOf ?? field.atLeastOneOf;
  // A misspelt member already has its problem, which says more than "nothing".
  const misspelt = [...node.entries.keys()].some((key) => !Object.hasOwn(field.fields, key));
  if (least !== undefined && present(least).length === 0 && !misspelt) note(context, node, path, oneOf(least), showValue(node.plain));
  for (const group of [...(field.exactlyOneOf === undefined ? [] : [field.exactlyOneOf]), ...(field.atMostOneOf ?? [])]) {
    const [, second] = present(group);
    const entry = second === undefined ? undefined : node.entries.get(second);
    if (entry !== undefined) note(context, node.source.at(entry.keyStart), path, `only one of ${group.join(', ')}`, present(group).join(' and '));
  }
}

function shapeOf(field: Field): Located['shape'] {
  if (field.type === 'list') return 'list';
  return field.type === 'object' || field.type === 'map' || field.type === 'match' || field.type === 'document' || field.type === 'fault' ? 'map' : 'scalar';
}

function readEither(field: Field & { readonly type: 'either' }, node: Located, path: string, context: CheckContext): unknown {
  const fits = field.forms.filter((form) => shapeOf(form) === node.shape || form.type === 'target');
  // A target may be a mapping too; the form that wraps one is recognised by its key.
  const form = fits.length > 1 && node.shape === 'map' ? fits.find((each) => (each.type === 'target') !== node.entries.has('target')) : fits[0];
  return form === undefined ? note(context, node, path, describeField(field), showValue(node.plain)) : read(form, node, path, context);
}

function readExpression(about: 'world' | 'self', node: Located, path: string, context: CheckContext): Expression | undefined {
  if (node.shape !== 'scalar' || typeof node.plain !== 'string') return note(context, node, path, 'a CEL expression', showValue(node.plain));
  const compiled = compileExpression(node.plain, { about, kinds: context.vocabulary.kinds });
  if ('expression' in compiled) return { cel: node.plain, source: positionOf(node) };
  const { message, offset, suggestion } = compiled.error;
  return note(context, positionInside(node, offset), path, 'a CEL condition', message, quoted(suggestion));
}

/** The place of an offset inside a text: exact where the file holds the text as it is, line by line in a literal block, else its start. */
function positionInside(node: Located & { readonly shape: 'scalar' }, offset: number): Position {
  const raw = node.source.text.slice(node.start, node.end);
  const value = String(node.plain);
  const verbatim = raw.indexOf(value);
  if (node.style !== 'block') return node.source.at(verbatim < 0 ? node.start : node.start + verbatim + offset);
  const before = value.slice(0, offset).split('\n');
  const lineStarts = raw.split('\n');
  const line = lineStarts[before.length];
  if (raw[0] !== '|' || line === undefined) return positionOf(node);
  const skipped = lineStarts.slice(0, before.length).reduce((sum, each) => sum + each.length + 1, 0);
  const indent = /^ */.exec(lineStarts[1] ?? '')?.[0].length ?? 0;
  return node.source.at(node.start + skipped + indent + (before.at(-1) ?? '').length);
}

function readTarget(node: Located, path: string, context: CheckContext): TargetRef | undefined {
  if (node.shape === 'map') return check({ type: 'object', description: 'A target.', fields: TARGET_FIELDS, atMostOneOf: [['name', 'labels'], ['name', 'nth']] }, node, path, context);
  const target = typeof node.plain === 'string' ? parseTarget(node.plain) : undefined;
  if (target === undefined) return note(context, node, path, describeField({ type: 'target', description: '' }), showValue(node.plain));
  if (context.vocabulary.kinds.includes(target.kind)) return target;
  const kind = nearest(target.kind, context.vocabulary.kinds);
  return note(context, node, path, 'a kind before the first /', showValue(node.plain), kind === undefined ? undefined : quoted(String(node.plain).replace(target.kind, () => kind)));
}

function checkKind(node: MapNode, path: string, context: CheckContext): boolean {
  const kind = node.entries.get('kind');
  if (kind !== undefined) return readName({ type: 'name', of: 'kinds', description: '' }, kind.value, joinPath(path, 'kind'), context) !== undefined;
  note(context, node, joinPath(path, 'kind'), 'a kind', 'nothing');
  return false;
}

function readMatch(node: Located, path: string, context: CheckContext): Manifest | undefined {
  if (node.shape !== 'map') return note(context, node, path, 'a partial object with a kind', showValue(node.plain));
  return checkKind(node, path, context) ? node.plain : undefined;
}

/** One manifest: what is inside is the server's to judge, with the API's own messages. */
export function readManifest(node: Located, path: string, context: CheckContext, lenient: boolean): readonly SourcedManifest[] {
  if (node.shape !== 'map') {
    note(context, node, path, 'an object with apiVersion and kind', showValue(node.plain));
    return [];
  }
  const items = node.entries.get('items')?.value;
  if (node.plain['kind'] === 'List' && items?.shape === 'list') return items.items.flatMap((item, index) => readManifest(item, joinPath(joinPath(path, 'items'), index), context, lenient));
  const known = checkKind(node, path, context);
  const version = node.entries.get('apiVersion');
  if (!lenient && typeof version?.value.plain !== 'string') {
    note(context, version?.value ?? node, joinPath(path, 'apiVersion'), 'an apiVersion such as batch/v1', showValue(version?.value.plain));
    return [];
  }
  return known ? [{ object: node.plain, source: positionOf(node) }] : [];
}

function readManifests(node: Located, path: string, context: CheckContext, lenient: boolean): readonly SourcedManifest[] | undefined {
  if (node.shape === 'list') {
    if (node.items.length === 0) return note(context, node, path, 'at least one object', 'an empty list');
    return node.items.flatMap((item, index) => readManifests(item, joinPath(path, index), context, lenient) ?? []);
  }
  const file = fileReference(node);
  if (file === undefined) return readManifest(node, path, context, lenient);
  return readOther(file, path, context)?.flatMap((document) => readManifest(document, '', context, lenient));
}

function readDocument(node: Located, path: string, context: CheckContext): Manifest | undefined {
  const file = fileReference(node);
  if (file !== undefined) {
    const documents = readOther(file, path, context);
    const first = documents?.[0];
    if (documents === undefined) return undefined;
    return first?.shape === 'map' ? first.plain : note(context, file, joinPath(path, 'file'), 'a file with a mapping', first === undefined ? 'nothing' : showValue(first.plain));
  }
  return node.shape === 'map' ? node.plain : note(context, node, path, 'a mapping or { file: path }', showValue(node.plain));
}

/** `{ file: path }` and nothing else: an object has a kind. */
function fileReference(node: Located): Located | undefined {
  if (node.shape !== 'map' || node.entries.size !== 1) return undefined;
  return node.entries.get('file')?.value;
}

function readOther(file: Located, path: string, context: CheckContext): readonly Located[] | undefined {
  const inner = joinPath(path, 'file');
  const name = file.plain;
  if (typeof name !== 'string' || name === '') return note(context, file, inner, 'the path of a file', showValue(name));
  const text = context.readFile?.(name, file.source.file);
  if (text === undefined) return note(context, file, inner, context.readFile === undefined ? 'everything in one file (other files cannot be read here)' : 'a file that can be read', showValue(name));
  const { documents, problems } = readYaml(text, name);
  context.problems.push(...problems);
  if (documents.length === 0 && problems.length === 0) return note(context, file, inner, 'a file with something in it', `${showValue(name)}, which is empty`);
  return documents;
}

function readFault(node: Located, path: string, context: CheckContext): FaultCall | undefined {
  if (node.shape !== 'map') return note(context, node, path, 'a mapping with the name of a fault', showValue(node.plain));
  const { faults } = context.vocabulary;
  const names = faults.map((fault) => fault.name);
  const spec = faults.find((fault) => node.entries.has(fault.name));
  if (spec === undefined) {
    const [key] = node.entries.keys();
    const at = key === undefined ? node : node.source.at(node.entries.get(key)?.keyStart ?? node.start);
    return note(context, at, path, `the name of a fault (${names.join(', ')})`, showValue(key), quoted(key === undefined ? undefined : nearest(key, names)));
  }
  const fields = { ...spec.parameters, [spec.name]: { ...spec.subject, required: true as const } };
  const values = readMembers(fields, node, path, context);
  if (values === undefined) return undefined;
  const { [spec.name]: subject, ...parameters } = values as Record<string, unknown>;
  return { name: spec.name, subject, parameters };
}
