/**
 * The CEL environment: the functions of expressions, the form of objects in them, and their error messages. One environment serves all
 * expressions, because creating it costs more than compiling.
 */
import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { Duration } from '@marcbachmann/cel-js/evaluator';
import { nearest } from '../../schema/values/index.ts';
import { easeHas, meter, nodesOf, withinBudget, withLibrary } from '../../schema/cel/index.ts';
import { DEFAULT_NAMESPACE } from './targets.ts';

/** The state that an expression reads; lists are in order of creation. */
export interface Facts {
  objects(kind: string, namespace?: string): readonly object[];
  object(kind: string, namespace: string | undefined, name: string): object | undefined;
  /** Returns the environment of a pod's containers, or the contents of a node's machine; undefined: there is none yet. */
  inside?(kind: string, namespace: string, name: string): object | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly startAt: number;
}

export interface ExpressionError {
  readonly message: string;
  readonly offset: number;
  readonly suggestion?: string;
}

const FUNCTIONS = [
  'objects',
  'object',
  'events',
  'inside',
  'has',
  'size',
  'int',
  'string',
  'double',
  'timestamp',
  'duration',
  'all',
  'exists',
  'exists_one',
  'filter',
  'map',
  'matches',
  'startsWith',
  'endsWith',
  'contains',
  'orValue',
  'hasValue',
  'join',
  'split',
  'replace',
  'find',
  'findAll',
  'indexOf',
  'lastIndexOf',
  'charAt',
  'isSorted',
  'min',
  'max',
  'sum',
];

/** The subject of an expression: the cluster, one object (`self`), or a change of one (`self` and `old`). */
export type About = 'world' | 'self' | 'change';

/** Set only during an evaluation, which is synchronous. */
let current: Facts | undefined;
let environments: Readonly<Record<About, Environment>> | undefined;

/**
 * Parses an expression whose steps are counted. Type errors are reported by `check`.
 *
 * @throws the library's error; see `describeError`.
 */
export function parseCel(cel: string, about: About): ParseResult {
  const parsed = environment(about).parse(cel);
  easeHas(nodesOf(parsed.ast));
  if (parsed.check().error === undefined) meter(parsed.ast);
  return parsed;
}

/** Returns the value of an expression, with integers as bigint, or a message. */
export function runCel(
  run: (context: Record<string, unknown>) => unknown,
  facts: Facts,
  self: object | undefined,
  old?: object | null,
): { readonly value: unknown } | { readonly error: string } {
  const outer = current;
  current = facts;
  try {
    const { value } = withinBudget(() =>
      run({
        now: new Date(facts.now),
        elapsed: Duration.fromMilliseconds(facts.now - facts.startAt),
        ...(self === undefined ? {} : { self: toCel(self) }),
        ...(old === undefined ? {} : { old: toCel(old) }),
      }),
    );
    return { value };
  } catch (error) {
    const { message } = describeError(error);
    return { error: message.startsWith('No such key: ') ? `${message}${ABSENT_HINT}` : message };
  } finally {
    current = outer;
  }
}

const ABSENT_HINT = ' (a field that is absent when it is zero is read as object.?status.?active.orValue(0))';

function environment(about: About): Environment {
  environments ??= {
    world: build(),
    self: build().registerVariable('self', 'dyn'),
    change: build().registerVariable('self', 'dyn').registerVariable('old', 'dyn'),
  };
  return environments[about];
}

function build(): Environment {
  const limits = { maxAstNodes: 2_000, maxDepth: 60 };
  return withLibrary(new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false, limits }))
    .registerVariable('now', 'google.protobuf.Timestamp')
    .registerVariable('elapsed', 'google.protobuf.Duration')
    .registerFunction('objects(string): list<dyn>', (kind: string) => listed(kind))
    .registerFunction('objects(string, string): list<dyn>', (kind: string, namespace: string) => listed(kind, namespace))
    .registerFunction('object(string): dyn', (target: string) => found(target))
    .registerFunction('inside(string): dyn', (target: string) => insideOf(target))
    .registerFunction('events(): list<dyn>', () => listed('Event'))
    .registerFunction('events(string): list<dyn>', (target: string) => eventsOf(target));
}

function listed(kind: string, namespace?: string): readonly unknown[] {
  return (current?.objects(kind, namespace) ?? []).map(toCel);
}

function split(target: string): { readonly kind: string; readonly namespace: string | undefined; readonly name: string } {
  const [kind = '', second = '', third] = target.split('/');
  return third === undefined ? { kind, namespace: undefined, name: second } : { kind, namespace: second, name: third };
}

/** Finds `Job/a` in the default namespace, then among cluster-scoped kinds. */
function found(target: string): unknown {
  const { kind, namespace, name } = split(target);
  const object =
    current?.object(kind, namespace ?? DEFAULT_NAMESPACE, name) ??
    (namespace === undefined ? current?.object(kind, undefined, name) : undefined);
  return object === undefined ? null : toCel(object);
}

/** Returns the environment of `Pod/web`, or the contents of the machine of `Node/a`, or null. */
function insideOf(target: string): unknown {
  const { kind, namespace, name } = split(target);
  const inside = current?.inside?.(kind, namespace ?? DEFAULT_NAMESPACE, name);
  return inside === undefined ? null : toCel(inside);
}

interface EventLike {
  readonly involvedObject?: { readonly kind?: string; readonly namespace?: string; readonly name?: string };
}

function eventsOf(target: string): readonly unknown[] {
  const { kind, namespace, name } = split(target);
  const concerns = ({ involvedObject: about }: EventLike) =>
    about?.kind === kind &&
    about.name === name &&
    (namespace === undefined
      ? about.namespace === undefined || about.namespace === '' || about.namespace === DEFAULT_NAMESPACE
      : about.namespace === namespace);
  return (current?.objects('Event') ?? []).filter(concerns).map(toCel);
}

/** Converted objects by revision: an unchanged subtree is converted once; one without integers is not converted. */
const converted = new WeakMap<object, unknown>();

/** Converts a JSON value to CEL: whole numbers are ints, as the schemas of the kinds define. */
function toCel(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const known = converted.get(value);
  if (known !== undefined) return known;
  const made = Array.isArray(value) ? listToCel(value) : mapToCel(value as Readonly<Record<string, unknown>>);
  converted.set(value, made);
  return made;
}

function listToCel(list: readonly unknown[]): readonly unknown[] {
  const items = list.map(toCel);
  return items.every((item, index) => item === list[index]) ? list : items;
}

function mapToCel(map: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let changes: [string, unknown][] | undefined;
  for (const key of Object.keys(map)) {
    const value = toCel(map[key]);
    if (value !== map[key]) (changes ??= []).push([key, value]);
  }
  return changes === undefined ? map : Object.fromEntries([...Object.entries(map), ...changes]);
}

/** Converts a compile or evaluation error to data, with the nearest valid name. `variables`: those that may be meant. */
export function describeError(error: unknown, variables: readonly string[] = []): ExpressionError {
  if (!(error instanceof Error)) return { message: String(error), offset: 0 };
  const { summary, range } = error as Error & { readonly summary?: string; readonly range?: { readonly start: number } };
  const message = summary ?? error.message.split('\n', 1)[0] ?? '';
  const name = /^Unknown variable: (\w+)|overload for '(?:\w+\.)?(\w+)\(/.exec(message);
  const near =
    name?.[1] !== undefined
      ? nearest(
          name[1],
          variables.filter((each) => each !== name[1]),
        )
      : name?.[2] !== undefined && !FUNCTIONS.includes(name[2])
        ? nearest(name[2], FUNCTIONS)
        : undefined;
  return { message, offset: range?.start ?? 0, ...(near === undefined ? {} : { suggestion: near }) };
}
