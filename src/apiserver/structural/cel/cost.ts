/**
 * The most that a rule can cost, from the sizes that its schema allows: an unbounded list is as long as a request can make it. Simplified:
 * steps are counted, each for a node of the expression, where upstream weighs them by kind. Models: v1.24 apiextensions-apiserver
 * pkg/apiserver/schema/cel compilation.go getExpressionCost, celopenapi/model schemas.go estimateMaxArrayItemsPerRequest.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import type { Structural } from '../members.ts';
import { escaped, isResource, selectable } from './values.ts';

const LARGEST_REQUEST = 3 * 1024 * 1024;
const TOUCHED_A_STEP = 10;

/** The fewest characters that a value takes in a request. */
function fewest({ type = '', items, required = [], properties = {}, minItems = 0, minLength = 0 }: Structural): number {
  if (type === 'string') return 2 + minLength;
  if (type === 'boolean') return 4;
  if (type === 'array') return 2 + minItems * fewest(items ?? {});
  if (type !== 'object') return 1;
  return required.reduce((sum, name) => sum + name.length + 3 + fewest(properties[name] ?? {}), 2);
}

/** The most elements, members or characters of a value. */
export function mostOf(node: Structural): number {
  const { type = '', items, additionalProperties: more, maxItems, maxProperties, maxLength } = node;
  if (type === 'array') return maxItems ?? Math.floor(LARGEST_REQUEST / (fewest(items ?? {}) + 1));
  if (typeof more === 'object') return maxProperties ?? Math.floor(LARGEST_REQUEST / (fewest(more) + 4));
  return type === 'string' ? (maxLength ?? LARGEST_REQUEST) : 1;
}

const MACROS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

interface Estimate {
  readonly cost: number;
  /** Undefined: no value of the object, or one of unknown form. */
  readonly node: Structural | undefined;
  readonly isRoot?: boolean;
}

type Names = ReadonlyMap<string, Estimate>;

/** Returns the most steps that an expression takes on a value of a node. */
export function mostSteps(root: ASTNode, node: Structural, isRoot: boolean): number {
  const self: Estimate = { cost: 1, node, isRoot };
  return estimate(
    root,
    new Map([
      ['self', self],
      ['oldSelf', self],
    ]),
  ).cost;
}

const isNode = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'op' in value && 'args' in value;

function estimate(at: ASTNode, names: Names): Estimate {
  const args: unknown = at.args;
  if (at.op === 'id') return names.get(String(args)) ?? { cost: 1, node: undefined };
  if (at.op === '.') {
    const [from, name] = args as readonly [ASTNode, string];
    const of = estimate(from, names);
    return { cost: of.cost + 1, node: memberOf(of, name) };
  }
  if (at.op === '[]') {
    const [from, key] = args as readonly [ASTNode, ASTNode];
    const of = estimate(from, names);
    return { cost: of.cost + estimate(key, names).cost + 1, node: elementOf(of.node) };
  }
  if (at.op === 'rcall' && MACROS.has((args as readonly [string])[0]))
    return looped(args as readonly [string, ASTNode, readonly ASTNode[]], names);
  if (at.op === 'value') return { cost: 0, node: undefined };
  if (at.op === '&&' || at.op === '||' || at.op === '!_') return { cost: partsOf(args, names, false), node: undefined };
  const touches = at.op === 'rcall' || at.op === 'call' || at.op === '==' || at.op === '!=' || at.op === 'in' || at.op === '+';
  return { cost: 1 + partsOf(args, names, touches), node: undefined };
}

/** Operands are nodes, names and nested lists of both. What reads a whole value pays for its size. */
function partsOf(args: unknown, names: Names, touches: boolean): number {
  if (Array.isArray(args)) return args.reduce<number>((sum, each) => sum + partsOf(each, names, touches), 0);
  if (!isNode(args)) return 0;
  const { cost, node } = estimate(args, names);
  return cost + (touches && node !== undefined ? mostOf(node) / TOUCHED_A_STEP : 0);
}

function looped([macro, from, given]: readonly [string, ASTNode, readonly ASTNode[]], names: Names): Estimate {
  const of = estimate(from, names);
  const [variable, ...bodies] = given;
  const element: Estimate = { cost: 1, node: of.node?.type === 'array' ? elementOf(of.node) : undefined };
  const name = variable?.op === 'id' ? variable.args : '';
  const inner = partsOf(bodies, new Map([...names, [name, element]]), false);
  const rounds = of.node === undefined ? 1 : mostOf(of.node);
  return { cost: of.cost + rounds * (inner + 1), node: macro === 'filter' ? of.node : undefined };
}

function memberOf({ node, isRoot = false }: Estimate, name: string): Structural | undefined {
  if (node === undefined) return undefined;
  if (typeof node.additionalProperties === 'object') return node.additionalProperties;
  return Object.entries(selectable(node, isResource(node, isRoot))).find(([property]) => escaped(property) === name)?.[1];
}

function elementOf(node: Structural | undefined): Structural | undefined {
  const more = node?.additionalProperties;
  return node?.items ?? (typeof more === 'object' ? more : undefined);
}
