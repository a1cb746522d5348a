/**
 * CEL conditions: `objects('Pod').all(p, p.status.phase == 'Running')`. Compiling returns an expression or a message with an offset;
 * evaluating returns a value or a message; neither throws. Whole numbers in objects are CEL ints. Simplified: functions that use the host's
 * time zone (getDayOfYear, zones as arguments, timestamps without a zone) are refused.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import { keptIn, nearest } from '../../schema/values/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import { type About, describeError, parseCel, runCel, type ExpressionError, type Facts } from './cel.ts';
import { nodesOf, patternOf } from '../../schema/cel/index.ts';
import { checkFields } from './cel-fields.ts';
import { UPSTREAM_ONLY } from './not-modelled.ts';
import { explainFalse } from './explain-expression.ts';

export type Evaluated = { readonly holds: boolean } | { readonly error: string };

export interface CompiledExpression {
  readonly cel: string;
  /** Evaluates the condition. `self` is given for conditions on one object, `old` (null after a creation) for those on a change. */
  evaluate(facts: Facts, self?: object, old?: object | null): Evaluated;
  /** Explains why it is false: the decisive parts with their values, one line each. */
  explain(facts: Facts, self?: object, old?: object | null): readonly string[];
  /** The kinds that it reads; undefined: they depend on values. */
  readonly kinds: ReadonlySet<string> | undefined;
  /** The names in it: variables, and those of its macros. */
  readonly mentions: ReadonlySet<string>;
  /** Whether the result may change by the passage of time alone. */
  readonly usesTime: boolean;
}

export type Compiled = { readonly expression: CompiledExpression } | { readonly error: ExpressionError };

export interface CompileOptions {
  readonly about: About;
  /** The kinds that `objects`, `object` and `events` may name; absent: unchecked. */
  readonly kinds?: readonly string[];
  /** The schemas of kinds; absent: the fields that it reads are not checked. */
  readonly schemaOf?: ((kind: string) => Schema | undefined) | undefined;
  readonly self?: string | undefined;
}

const LONGEST = 10_000;
/** Conditions are evaluated after every change, so compiled ones are memoized: as many as any scenario has. */
const KEPT = 1_000;
/** Memoized conditions by their source of schemas; conditions without schemas share one memo. */
const kept = new WeakMap<object, Map<string, Compiled>>();
const UNTYPED = {};

/** Compiles a condition, whose type is bool or known only during evaluation. */
export function compileExpression(cel: string, options: CompileOptions = { about: 'world' }): Compiled {
  if (options.kinds !== undefined) return compile(cel, options);
  const known = keptIn(kept, options.schemaOf ?? UNTYPED, () => new Map<string, Compiled>());
  const key = `${options.about} ${options.self ?? ''} ${cel}`;
  let compiled = known.get(key);
  if (compiled !== undefined) return compiled;
  compiled = compile(cel, options);
  if (known.size >= KEPT) known.clear();
  known.set(key, compiled);
  return compiled;
}

function compile(cel: string, { about, kinds, schemaOf, self }: CompileOptions): Compiled {
  if (cel.length > LONGEST) return { error: { message: `at most ${LONGEST} characters`, offset: LONGEST } };
  try {
    const parsed = parseCel(cel, about);
    const checked = parsed.check();
    if (checked.error !== undefined) return { error: describeError(checked.error, namesIn(nodesOf(parsed.ast), about)) };
    const nodes = nodesOf(parsed.ast);
    for (const node of nodes) {
      const wrong = refuse(node, kinds);
      if (wrong !== undefined) return { error: wrong };
    }
    const unknown = schemaOf === undefined ? undefined : checkFields(parsed.ast, { schemaOf, self });
    if (unknown !== undefined) return { error: unknown };
    if (checked.type !== 'bool' && checked.type !== 'dyn')
      return { error: { message: `a condition is true or false, this is ${checked.type ?? 'something else'}`, offset: 0 } };
    const mentions = new Set(nodes.flatMap((node) => (node.op === 'id' ? [node.args] : [])));
    return {
      expression: {
        cel,
        evaluate: (facts, of, old) => condition(runCel(parsed, facts, of, old)),
        explain: (facts, of, old) =>
          explainFalse(parsed.ast, about, facts, of, old, schemaOf === undefined ? undefined : { schemaOf, self }),
        kinds: kindsIn(nodes),
        mentions,
        usesTime: mentions.has('now') || mentions.has('elapsed'),
      },
    };
  } catch (error) {
    return { error: describeError(error) };
  }
}

function condition(result: { readonly value: unknown } | { readonly error: string }): Evaluated {
  if ('error' in result) return result;
  const { value } = result;
  return typeof value === 'boolean'
    ? { holds: value }
    : { error: `a condition is true or false, this is ${typeof value === 'object' ? 'something else' : String(value)}` };
}

/** Returns the variables of every condition, and those of its macros. */
function namesIn(nodes: readonly ASTNode[], about: CompileOptions['about']): readonly string[] {
  const own = nodes.flatMap(({ op, args }) => {
    if (op !== 'rcall') return [];
    const [, , [variable, body]] = args;
    return variable?.op === 'id' && body !== undefined ? [variable.args] : [];
  });
  return ['now', 'elapsed', ...(about === 'world' ? [] : ['self']), ...own];
}

function kindsIn(nodes: readonly ASTNode[]): ReadonlySet<string> | undefined {
  const kinds = new Set<string>();
  for (const node of nodes) {
    if (node.op !== 'call') continue;
    const [name, [first]] = node.args;
    if (name === 'events') kinds.add('Event');
    else if (name !== 'objects' && name !== 'object') continue;
    else if (first?.op !== 'value' || typeof first.args !== 'string') return undefined;
    else kinds.add(first.args.split('/', 1)[0] ?? '');
  }
  return kinds;
}

/** Returns an error for calls that would fail, or differ between hosts. */
function refuse(node: ASTNode, kinds: readonly string[] | undefined): ExpressionError | undefined {
  if (node.op === 'call') return refuseCall(node.args[0], node.args[1], kinds);
  if (node.op !== 'rcall') return undefined;
  const [name, , args] = node.args;
  if (name === 'matches') return refusePattern(args);
  if (name !== 'getDayOfYear' && !(/^get[A-Z]/.test(name) && args.length > 0)) return undefined;
  return { message: `${name}()${args.length > 0 ? ' with a zone' : ''} depends on the host and is not supported`, offset: node.start };
}

function refusePattern([pattern]: readonly ASTNode[]): ExpressionError | undefined {
  if (pattern?.op !== 'value' || typeof pattern.args !== 'string') return undefined;
  try {
    patternOf(pattern.args);
    return undefined;
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error), offset: pattern.start };
  }
}

function refuseCall(name: string, args: readonly ASTNode[], kinds: readonly string[] | undefined): ExpressionError | undefined {
  const [first] = args;
  if (first?.op !== 'value' || typeof first.args !== 'string') return undefined;
  if (name === 'timestamp' && !/(?:Z|[+-]\d\d:\d\d)$/.test(first.args))
    return { message: 'a timestamp needs a zone, such as Z', offset: first.start };
  if (name !== 'objects' && name !== 'object' && name !== 'events') return undefined;
  const parts = first.args.split('/');
  if (name !== 'objects' && (parts.length < 2 || parts.length > 3))
    return { message: `${name}() expects Kind/name or Kind/namespace/name, not ${JSON.stringify(first.args)}`, offset: first.start };
  const kind = parts[0] ?? '';
  if (kinds === undefined || kinds.includes(kind)) return undefined;
  if (UPSTREAM_ONLY.has(kind)) return { message: `${JSON.stringify(kind)}, which is not modelled`, offset: first.start };
  const suggestion = nearest(kind, kinds);
  return { message: `unknown kind ${JSON.stringify(kind)}`, offset: first.start, ...(suggestion === undefined ? {} : { suggestion }) };
}
