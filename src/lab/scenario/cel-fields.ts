/**
 * Checks the fields that a condition reads against the schemas of kinds, because a misspelt field would be an error only during evaluation,
 * or never. It follows shapes through selections, indexes, loops and bindings, and accepts values of unknown shape. A scalar or list that
 * the API omits because it is zero reads as zero, as for typed clients; `has()` distinguishes it. Pointers, times and objects have no zero:
 * reading an absent one is an error.
 */
import type { ASTNode } from '@marcbachmann/cel-js';
import type { Schema } from '../../schema/shape/index.ts';
import { nearest } from '../../schema/values/index.ts';
import type { ExpressionError } from './cel.ts';
import { onAbsence } from '../../schema/cel/index.ts';

export interface FieldsOptions {
  readonly schemaOf: (kind: string) => Schema | undefined;
  readonly self?: string | undefined;
}

type Shape = Schema | undefined;
type Scope = ReadonlyMap<string, Shape>;

interface Walk extends FieldsOptions {
  wrong: ExpressionError | undefined;
}

/** Returns the error for the first field that its kind does not have; makes reads of absent zero values return zero. */
export function checkFields(root: ASTNode, options: FieldsOptions): ExpressionError | undefined {
  const walk: Walk = { ...options, wrong: undefined };
  const self = options.self === undefined ? undefined : options.schemaOf(options.self);
  shapeOf(walk, root, new Map([['self', self]]));
  return walk.wrong;
}

const isNode = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
const textOf = (node: unknown): string | undefined =>
  isNode(node) && node.op === 'value' && typeof node.args === 'string' ? node.args : undefined;
const nameOf = (node: unknown): string | undefined =>
  isNode(node) && node.op === 'id' && typeof node.args === 'string' ? node.args : undefined;

function shapeOf(walk: Walk, node: ASTNode, scope: Scope): Shape {
  // Operands by operator, in the form of the library's parser.
  const args: unknown = node.args;
  switch (node.op) {
    case 'id':
      return scope.get(String(args));
    case '.':
    case '.?':
      return selected(walk, node, args as readonly [ASTNode, unknown], scope);
    case '[]':
    case '[?]':
      return indexed(walk, node, args as readonly [ASTNode, ASTNode], scope);
    case '?:': {
      const [condition, one, other] = args as readonly [ASTNode, ASTNode, ASTNode];
      shapeOf(walk, condition, scope);
      const [first, second] = [shapeOf(walk, one, scope), shapeOf(walk, other, scope)];
      return first === second ? first : undefined;
    }
    case 'call': {
      const [name, given] = args as readonly [string, readonly ASTNode[]];
      for (const each of given) shapeOf(walk, each, scope);
      return called(walk, name, textOf(given[0]));
    }
    case 'rcall':
      return sent(walk, args as readonly [string, ASTNode, readonly ASTNode[]], scope);
    default:
      visit(walk, args, scope);
      return undefined;
  }
}

function visit(walk: Walk, args: unknown, scope: Scope): void {
  if (Array.isArray(args)) for (const each of args) visit(walk, each, scope);
  else if (isNode(args)) shapeOf(walk, args, scope);
}

function selected(walk: Walk, node: ASTNode, [operand, member]: readonly [ASTNode, unknown], scope: Scope): Shape {
  const of = shapeOf(walk, operand, scope);
  const name = typeof member === 'string' ? member : textOf(member);
  if (name === undefined) return undefined;
  const found = fieldOf(walk, of, name, node, operand);
  const zero = node.op === '.' && of?.type === 'object' ? zeroOf(found) : undefined;
  if (zero !== undefined) onAbsence(node, name, zero.value);
  return found;
}

function indexed(walk: Walk, node: ASTNode, [operand, index]: readonly [ASTNode, ASTNode], scope: Scope): Shape {
  const of = shapeOf(walk, operand, scope);
  shapeOf(walk, index, scope);
  const name = textOf(index);
  if (of?.type === 'list') return of.items;
  return name === undefined ? undefined : fieldOf(walk, of, name, node, index);
}

function fieldOf(walk: Walk, of: Shape, name: string, node: ASTNode, before: ASTNode): Shape {
  if (of?.type === 'map') return of.values;
  if (of?.type !== 'object') return undefined;
  const field = Object.hasOwn(of.fields, name) ? of.fields[name] : undefined;
  if (field !== undefined || of.open === true) return field;
  const suggestion = nearest(name, Object.keys(of.fields));
  walk.wrong ??= {
    message: `${of.go} has no field ${JSON.stringify(name)}`,
    // The name follows its receiver in the text.
    offset: Math.max(node.start, before.start),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
  return undefined;
}

/** Returns the value of a field that the API omits; undefined: it has none. */
function zeroOf(schema: Shape): { readonly value: unknown } | undefined {
  if (schema === undefined || schema.pointer === true || schema.default !== undefined) return undefined;
  switch (schema.type) {
    case 'string':
      return { value: '' };
    case 'boolean':
      return { value: false };
    case 'int32':
    case 'int64':
      return { value: 0n };
    case 'list':
      return { value: [] };
    case 'map':
      return { value: {} };
    default:
      return undefined;
  }
}

const listOf = (items: Shape): Shape => (items === undefined ? undefined : { type: 'list', items });

function called({ schemaOf }: Walk, name: string, first: string | undefined): Shape {
  if (name === 'events') return listOf(schemaOf('Event'));
  const kind = first?.split('/', 1)[0];
  if (kind === undefined) return undefined;
  if (name === 'objects') return listOf(schemaOf(kind));
  return name === 'object' ? schemaOf(kind) : undefined;
}

/** Returns the shape of a method call, mostly of a macro over a list. */
function sent(walk: Walk, [name, receiver, given]: readonly [string, ASTNode, readonly ASTNode[]], scope: Scope): Shape {
  const of = nameOf(receiver) === 'cel' ? undefined : shapeOf(walk, receiver, scope);
  const variable = nameOf(given[0]);
  const inner = (shape: Shape, body = given.at(-1)): Shape =>
    variable === undefined || body === undefined ? undefined : shapeOf(walk, body, new Map([...scope, [variable, shape]]));
  const items = of?.type === 'list' ? of.items : undefined;
  switch (name) {
    case 'all':
    case 'exists':
    case 'exists_one':
      inner(items);
      return undefined;
    case 'filter':
      inner(items);
      return of;
    case 'map':
      // Of three arguments the second is a condition.
      if (given.length === 3) inner(items, given[1]);
      return listOf(inner(items));
    case 'bind':
      return inner(given[1] === undefined ? undefined : shapeOf(walk, given[1], scope));
    case 'orValue':
    case 'value':
      for (const each of given) shapeOf(walk, each, scope);
      return of;
    default:
      for (const each of given) shapeOf(walk, each, scope);
      return undefined;
  }
}
