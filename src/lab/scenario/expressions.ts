/**
 * CEL, as this ecosystem writes conditions: `objects('Pod').all(p, p.status.phase == 'Running')`. Compiling answers a message with
 * an offset, evaluating answers a value or a message; neither throws. Whole numbers in objects are CEL ints.
 * Simplified: what the library takes from the host's time zone (getDayOfYear, zones as arguments, timestamps without a zone) is refused.
 */
import { Environment, type ASTNode } from '@marcbachmann/cel-js';
import { Duration } from '@marcbachmann/cel-js/evaluator';
import { nearest } from '../../cluster/values/suggest.ts';
import { DEFAULT_NAMESPACE } from './targets.ts';

/** What an expression may ask of a world; lists are in order of creation. */
export interface Facts {
  /** All objects of a kind, or those of one namespace. */
  objects(kind: string, namespace?: string): readonly object[];
  object(kind: string, namespace: string | undefined, name: string): object | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly startAt: number;
}

export type Evaluated = { readonly holds: boolean } | { readonly error: string };

export interface CompiledExpression {
  readonly cel: string;
  /** `self` is given for conditions on one object. */
  evaluate(facts: Facts, self?: object): Evaluated;
}

export interface ExpressionError {
  readonly message: string;
  /** Where in the expression. */
  readonly offset: number;
  readonly suggestion?: string;
}

export interface CompileOptions {
  readonly about: 'world' | 'self';
  /** Kinds that `objects`, `object` and `events` may name; unchecked if absent. */
  readonly kinds?: readonly string[];
}

const LONGEST = 10_000;
const FUNCTIONS = ['objects', 'object', 'events', 'has', 'size', 'int', 'string', 'double', 'timestamp', 'duration', 'all', 'exists', 'exists_one', 'filter', 'map', 'matches', 'startsWith', 'endsWith', 'contains', 'orValue', 'hasValue', 'join', 'split'];
const VARIABLES = ['now', 'elapsed', 'self'];

/** One environment for all expressions: building it costs more than compiling. `current` is set only while one evaluates, which is synchronous. */
let current: Facts | undefined;
let environments: { readonly world: Environment; readonly self: Environment } | undefined;

/** Compiles a condition (true or false, or of a type known only when it runs). */
export function compileExpression(cel: string, options: CompileOptions = { about: 'world' }): { readonly expression: CompiledExpression } | { readonly error: ExpressionError } {
  if (cel.length > LONGEST) return { error: { message: `at most ${LONGEST} characters`, offset: LONGEST } };
  try {
    const parsed = environment(options.about).parse(cel);
    const checked = parsed.check();
    if (checked.error !== undefined) return { error: describe(checked.error) };
    const wrong = refuse(parsed.ast, options.kinds);
    if (wrong !== undefined) return { error: wrong };
    if (checked.type !== 'bool' && checked.type !== 'dyn') return { error: { message: `a condition is true or false, this is ${checked.type ?? 'something else'}`, offset: 0 } };
    return { expression: { cel, evaluate: (facts, self) => evaluate(parsed, facts, self) } };
  } catch (error) {
    return { error: describe(error) };
  }
}

function evaluate(run: (context: Record<string, unknown>) => unknown, facts: Facts, self: object | undefined): Evaluated {
  const outer = current;
  current = facts;
  try {
    const value = run({ now: new Date(facts.now), elapsed: Duration.fromMilliseconds(facts.now - facts.startAt), ...(self === undefined ? {} : { self: toCel(self) }) });
    return typeof value === 'boolean' ? { holds: value } : { error: `a condition is true or false, this is ${typeof value === 'object' ? 'something else' : String(value)}` };
  } catch (error) {
    const { message } = describe(error);
    const hint = message.startsWith('No such key: ') ? ' (a field that is absent when it is zero is asked for as object.?status.?active.orValue(0))' : '';
    return { error: message + hint };
  } finally {
    current = outer;
  }
}

function environment(about: 'world' | 'self'): Environment {
  environments ??= { world: build(), self: build().registerVariable('self', 'dyn') };
  return environments[about];
}

function build(): Environment {
  return new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false, limits: { maxAstNodes: 2_000, maxDepth: 60 } })
    .registerVariable('now', 'google.protobuf.Timestamp')
    .registerVariable('elapsed', 'google.protobuf.Duration')
    .registerFunction('objects(string): list<dyn>', (kind: string) => listed(kind))
    .registerFunction('objects(string, string): list<dyn>', (kind: string, namespace: string) => listed(kind, namespace))
    .registerFunction('object(string): dyn', (target: string) => found(target))
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

/** `Job/a` is looked for in the default namespace, then among the kinds that have none. */
function found(target: string): unknown {
  const { kind, namespace, name } = split(target);
  const object = current?.object(kind, namespace ?? DEFAULT_NAMESPACE, name) ?? (namespace === undefined ? current?.object(kind, undefined, name) : undefined);
  return object === undefined ? null : toCel(object);
}

interface EventLike { readonly involvedObject?: { readonly kind?: string; readonly namespace?: string; readonly name?: string } }

function eventsOf(target: string): readonly unknown[] {
  const { kind, namespace, name } = split(target);
  const concerns = ({ involvedObject: about }: EventLike) => about?.kind === kind && about.name === name && (namespace === undefined ? about.namespace === undefined || about.namespace === '' || about.namespace === DEFAULT_NAMESPACE : about.namespace === namespace);
  return (current?.objects('Event') ?? []).filter(concerns).map(toCel);
}

/** Converted objects by revision: an unchanged subtree is converted once, one without whole numbers not at all. */
const converted = new WeakMap<object, unknown>();

/** A JSON value as CEL has it: whole numbers are ints, as the schemas of the kinds say. */
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

/** The first thing in an expression that would fail or differ by host. */
function refuse(root: ASTNode, kinds: readonly string[] | undefined): ExpressionError | undefined {
  const pending: ASTNode[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.op === 'call') {
      const wrong = refuseCall(node.args[0], node.args[1], kinds);
      if (wrong !== undefined) return wrong;
    }
    if (node.op === 'rcall' && (node.args[0] === 'getDayOfYear' || (/^get[A-Z]/.test(node.args[0]) && node.args[2].length > 0))) {
      return { message: `${node.args[0]}() ${node.args[2].length > 0 ? 'with a zone' : ''} depends on the host and is left out`.replace('  ', ' '), offset: node.start };
    }
    collectNodes(node.args, pending);
  }
  return undefined;
}

function refuseCall(name: string, args: readonly ASTNode[], kinds: readonly string[] | undefined): ExpressionError | undefined {
  const [first] = args;
  if (first?.op !== 'value' || typeof first.args !== 'string') return undefined;
  if (name === 'timestamp' && !/(?:Z|[+-]\d\d:\d\d)$/.test(first.args)) return { message: 'a timestamp needs a zone, such as Z', offset: first.start };
  if (name !== 'objects' && name !== 'object' && name !== 'events') return undefined;
  const parts = first.args.split('/');
  if (name !== 'objects' && (parts.length < 2 || parts.length > 3)) return { message: `${name}() wants Kind/name or Kind/namespace/name, not ${JSON.stringify(first.args)}`, offset: first.start };
  const kind = parts[0] ?? '';
  if (kinds === undefined || kinds.includes(kind)) return undefined;
  const suggestion = nearest(kind, kinds);
  return { message: `unknown kind ${JSON.stringify(kind)}`, offset: first.start, ...(suggestion === undefined ? {} : { suggestion }) };
}

/** Operands are nodes, names and nested lists of both, by operator. */
function collectNodes(args: unknown, into: ASTNode[]): void {
  if (Array.isArray(args)) for (const arg of args) collectNodes(arg, into);
  else if (typeof args === 'object' && args !== null && 'op' in args) into.push(args as ASTNode);
}

function describe(error: unknown): ExpressionError {
  if (!(error instanceof Error)) return { message: String(error), offset: 0 };
  const { summary, range } = error as Error & { readonly summary?: string; readonly range?: { readonly start: number } };
  const message = summary ?? error.message.split('\n', 1)[0] ?? '';
  const name = /^Unknown variable: (\w+)|overload for '(?:\w+\.)?(\w+)\(/.exec(message);
  const near = name?.[1] !== undefined ? nearest(name[1], VARIABLES) : name?.[2] !== undefined && !FUNCTIONS.includes(name[2]) ? nearest(name[2], FUNCTIONS) : undefined;
  return { message, offset: range?.start ?? 0, ...(near === undefined ? {} : { suggestion: near }) };
}
