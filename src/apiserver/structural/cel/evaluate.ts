/** What the rules of a schema say of an object. Models: v1.24 apiextensions-apiserver pkg/apiserver/schema/cel validation.go. */
import { perObject } from '../../../engine/index.ts';
import { isMapping } from '../../../schema/values/index.ts';
import { Exhausted, withinBudget } from '../../../schema/cel/index.ts';
import { type FieldError, invalid } from '../../machinery/index.ts';
import type { Structural } from '../members.ts';
import { type Rule, rulesOf } from './compile.ts';
import { celValue } from './values.ts';

/** The steps of one rule, and of all rules of an object. */
const MOST_OF_ONE = 1_000_000;
const MOST_OF_ALL = 10_000_000;

/** Whether there is a rule at or below a node: what has none is not walked. */
const hasRules: (node: Structural) => boolean = perObject(
  ({ items, additionalProperties: more, properties = {}, 'x-kubernetes-validations': rules = [] }) =>
    rules.length > 0 ||
    Object.values(properties).some((inner) => hasRules(inner)) ||
    (items !== undefined && hasRules(items)) ||
    (typeof more === 'object' && hasRules(more)),
);

type Members = Readonly<Record<string, unknown>>;

interface Run {
  readonly errors: FieldError[];
  left: number;
}

/**
 * Returns the rules that an object breaks. `old`: the stored object; rules about changes run only with one. `errors`: what is wrong with it
 * already; most of that keeps rules from being run.
 */
export function brokenRules(object: unknown, old: unknown, schema: Structural, errors: readonly FieldError[]): readonly FieldError[] {
  if (!hasRules(schema)) return NONE;
  if (errors.some(({ type }) => BLOCKING.has(type))) return [UNCHECKED];
  const run: Run = { errors: [], left: MOST_OF_ALL };
  visit({ value: object, old, node: schema, path: '', isRoot: true }, run);
  return run.errors;
}

const NONE: readonly FieldError[] = [];
const BLOCKING: ReadonlySet<string> = new Set(['NotSupported', 'Required', 'TooLong', 'TooMany', 'TypeInvalid']);
const UNCHECKED = invalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

interface Visit {
  readonly value: unknown;
  readonly old: unknown;
  readonly node: Structural;
  readonly path: string;
  readonly isRoot?: boolean;
}

function visit(at: Visit, run: Run): void {
  const { value, node } = at;
  if (value === undefined || value === null || run.left < 0 || !hasRules(node)) return;
  const rules = rulesOf(node);
  if (rules.length > 0) applyRules(rules, at, run);
  if (Array.isArray(value)) return visitItems(value, at, run);
  if (isMapping(value)) visitMembers(value, at, run);
}

function applyRules(rules: readonly Rule[], { value, old, node, path, isRoot = false }: Visit, run: Run): void {
  const values = {
    self: celValue(value, node, isRoot),
    ...(old === undefined || old === null ? {} : { oldSelf: celValue(old, node, isRoot) }),
  };
  for (const rule of rules) {
    if (run.left < 0) return;
    if (rule.isTransition && !('oldSelf' in values)) continue;
    const why = brokenBy(rule, values, run);
    if (why !== undefined) run.errors.push(invalid(path === '' ? '<nil>' : path, node.type ?? '', why));
  }
}

/** Returns why a value breaks a rule; undefined: it does not. */
function brokenBy({ cel, message, run: evaluate }: Rule, values: object, run: Run): string | undefined {
  const named = message ?? cel;
  const most = Math.min(MOST_OF_ONE, run.left);
  try {
    const { value, spent } = withinBudget(() => evaluate(values), most);
    run.left -= spent;
    return value === true ? undefined : (message ?? `failed rule: ${cel}`);
  } catch (error) {
    if (error instanceof Exhausted) {
      run.left = -1;
      return most < MOST_OF_ONE
        ? 'validation failed due to running out of cost budget, no further validation rules will be run'
        : `no further validation rules will be run due to call cost exceeds limit for rule: ${named}`;
    }
    const said =
      (error as { readonly summary?: string }).summary ??
      (error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error));
    if (said.startsWith('no such overload'))
      return `'${said}': call arguments did not match a supported operator, function or macro signature for rule: ${named}`;
    return `${said.replace(/^No such key/, 'no such key')} evaluating rule: ${named}`;
  }
}

function visitMembers(value: Members, { old, node, path }: Visit, run: Run): void {
  const { properties = {}, additionalProperties: more } = node;
  for (const name of Object.keys(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : typeof more === 'object' ? more : undefined;
    if (inner === undefined) continue;
    const former = isMapping(old) && Object.hasOwn(old, name) ? old[name] : undefined;
    const isField = Object.hasOwn(properties, name);
    visit(
      { value: value[name], old: former, node: inner, path: isField ? (path === '' ? name : `${path}.${name}`) : `${path}[${name}]` },
      run,
    );
  }
}

/** The former item of a list is that with the same keys, where it has keys. */
function visitItems(value: readonly unknown[], { old, node, path }: Visit, run: Run): void {
  const { items } = node;
  if (items === undefined) return;
  const keys = node['x-kubernetes-list-type'] === 'map' ? (node['x-kubernetes-list-map-keys'] ?? []) : [];
  const keyOf = (item: unknown): string => JSON.stringify(keys.map((key) => (isMapping(item) ? item[key] : undefined)));
  const former = new Map(keys.length === 0 || !Array.isArray(old) ? [] : old.map((item: unknown) => [keyOf(item), item]));
  for (const [at, item] of value.entries()) visit({ value: item, old: former.get(keyOf(item)), node: items, path: `${path}[${at}]` }, run);
}
