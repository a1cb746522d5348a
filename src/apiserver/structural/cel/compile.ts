/** The rules of a schema: compiled once, or what is wrong with them. Models: v1.24 pkg/apis/apiextensions/validation validation.go. */
import { perObject } from '../../../engine/index.ts';
import type { ParseResult } from '@marcbachmann/cel-js';
import { meter, nodesOf } from '../../../schema/cel/index.ts';
import { GoText, nearest } from '../../../schema/values/index.ts';
import { type FieldError, forbidden, invalid } from '../../machinery/index.ts';
import type { CelRule, Structural } from '../members.ts';
import { mostOf, mostSteps } from './cost.ts';
import { runtime, typed } from './environment.ts';
import { escaped, isResource, selectable } from './values.ts';

export interface Rule {
  readonly cel: string;
  readonly message: string | undefined;
  /** Whether it compares with the former value, so that a creation does not run it. */
  readonly isTransition: boolean;
  run(values: object): unknown;
}

const MOST_OF_ONE = 10_000_000;
const MOST_OF_ALL = 100_000_000;

/** Returns the rules of a node itself; those that do not compile are left out, because their definition is refused. */
export const rulesOf = perObject(({ 'x-kubernetes-validations': given = [] }: Structural): readonly Rule[] => {
  const environment = given.length === 0 ? undefined : runtime();
  return environment === undefined ? [] : given.flatMap((rule) => ruleOf(rule, environment) ?? []);
});

function ruleOf({ rule: cel, message }: CelRule, environment: ReturnType<typeof runtime>): Rule | undefined {
  try {
    const parsed = environment.parse(cel);
    const isTransition = comparesFormer(parsed);
    if (parsed.check().error === undefined) meter(parsed.ast);
    return {
      cel,
      message: message === undefined || message === '' ? undefined : message,
      isTransition,
      run: (values) => parsed({ ...values }) as unknown,
    };
  } catch {
    return undefined;
  }
}

const comparesFormer = ({ ast }: ParseResult): boolean => nodesOf(ast).some(({ op, args }) => op === 'id' && args === 'oldSelf');

interface Walk {
  readonly errors: FieldError[];
  cost: number;
}

/** Returns what is wrong with the rules of a schema, at a path. */
export function celErrors(schema: Structural, path: string): readonly FieldError[] {
  const walk: Walk = { errors: [], cost: 0 };
  visit(schema, path, { times: 1, uncorrelated: undefined, isRoot: true }, walk);
  if (walk.cost > MOST_OF_ALL)
    walk.errors.push(
      forbidden(path, tooMuch('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', walk.cost, MOST_OF_ALL)),
    );
  return walk.errors;
}

interface Place {
  /** How often a rule here may run for one object. */
  readonly times: number;
  /** The path from which on former values cannot be found. */
  readonly uncorrelated: string | undefined;
  readonly isRoot: boolean;
}

function visit(node: Structural, path: string, place: Place, walk: Walk): void {
  for (const [at, rule] of (node['x-kubernetes-validations'] ?? []).entries())
    judge(node, rule, `${path}.x-kubernetes-validations[${at}].rule`, place, walk);
  for (const [name, inner] of Object.entries(node.properties ?? {}))
    visit(inner, `${path}.properties[${name}]`, { ...place, isRoot: false }, walk);
  const { items, additionalProperties: more } = node;
  const times = place.times * mostOf(node);
  if (items !== undefined) {
    const uncorrelated = place.uncorrelated ?? (node['x-kubernetes-list-type'] === 'map' ? undefined : path);
    visit(items, `${path}.items`, { times, uncorrelated, isRoot: false }, walk);
  }
  if (typeof more === 'object') visit(more, `${path}.additionalProperties`, { ...place, times, isRoot: false }, walk);
}

/** A node that several rules are about has one environment. */
const typedFor = perObject(typed);

function judge(node: Structural, rule: CelRule, path: string, { times, uncorrelated, isRoot }: Place, walk: Walk): void {
  const shown = new GoText(
    `apiextensions.ValidationRule{Rule:${JSON.stringify(rule.rule)}, Message:${JSON.stringify(rule.message ?? '')}}`,
  );
  const wrong = (why: string): unknown => walk.errors.push(invalid(path, shown, why));
  let parsed: ParseResult;
  try {
    parsed = typedFor(node, isRoot).parse(rule.rule);
    const { error, type } = parsed.check();
    if (error !== undefined) return void wrong(failed(error, rule.rule, node, isRoot));
    if (type !== 'bool' && type !== 'dyn') return void wrong('cel expression must evaluate to a bool');
  } catch (error) {
    return void wrong(failed(error, rule.rule, node, isRoot));
  }
  if (uncorrelated !== undefined && comparesFormer(parsed))
    wrong(`oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated.replace(/^\./, '')}`);
  const cost = times * mostSteps(parsed.ast, node, isRoot);
  walk.cost += cost;
  if (cost > MOST_OF_ONE) walk.errors.push(forbidden(path, tooMuch('estimated rule cost', cost, MOST_OF_ONE)));
}

/** The error of an expression with its place, and the name that was probably meant. */
function failed(error: unknown, cel: string, node: Structural, isRoot: boolean): string {
  const { summary, message, range } = error as Error & { readonly summary?: string; readonly range?: { readonly start: number } };
  const before = cel.slice(0, range?.start ?? 0);
  const line = before.split('\n').length;
  const column = before.length - (before.lastIndexOf('\n') + 1) + 1;
  const said = summary ?? message.split('\n', 1)[0] ?? '';
  const field = /^No such key: (.*)$/.exec(said)?.[1];
  const variable = /^Unknown variable: (.*)$/.exec(said)?.[1];
  const others = namesIn(node, isRoot).filter((name) => name !== field);
  const near = field === undefined ? undefined : nearest(field, others);
  const words =
    field !== undefined
      ? `undefined field '${field}'${near === undefined ? '' : ` (did you mean ${near}?)`}`
      : variable === undefined
        ? said
        : `undeclared reference to '${variable}' (in container '')`;
  return `compilation failed: ERROR: <input>:${line}:${column}: ${words}\n | ${cel.split('\n')[line - 1] ?? ''}\n | ${'.'.repeat(column - 1)}^`;
}

/** The names of all properties at and below a node, for suggestions. */
function namesIn(node: Structural, isRoot: boolean): readonly string[] {
  const { items, additionalProperties: more } = node;
  return [
    ...Object.entries(selectable(node, isResource(node, isRoot))).flatMap(([name, inner]) =>
      [escaped(name) ?? [], ...namesIn(inner, false)].flat(),
    ),
    ...(items === undefined ? [] : namesIn(items, false)),
    ...(typeof more === 'object' ? namesIn(more, false) : []),
  ];
}

/** Models: validation.go getCostErrorMessage. */
function tooMuch(what: string, cost: number, most: number): string {
  const times = cost / most;
  const factor = times > 100 ? 'more than 100x' : `${times.toFixed(times < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
