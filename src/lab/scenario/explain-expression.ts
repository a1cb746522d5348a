/** Explains why a condition is false: follows it to the decisive parts and evaluates the values there. */
import type { ASTNode } from '@marcbachmann/cel-js';
import { serialize } from '@marcbachmann/cel-js/serialize';
import { isMapping } from '../../schema/values/index.ts';
import { checkFields, type FieldsOptions } from './cel-fields.ts';
import { type About, parseCel, runCel, type Facts } from './cel.ts';

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);
const SHOWN = 3;
const LONGEST = 80;

export function explainFalse(
  root: ASTNode,
  about: About,
  facts: Facts,
  self: object | undefined,
  old: object | null | undefined,
  fields?: FieldsOptions,
): readonly string[] {
  const valueOf = (cel: string): unknown => {
    try {
      const parsed = parseCel(cel, about);
      if (fields !== undefined) checkFields(parsed.ast, fields);
      const result = runCel(parsed, facts, self, old);
      return 'value' in result ? result.value : new Unanswered(result.error);
    } catch (error) {
      // The parts of a valid condition are valid too, unless serializing one makes it deeper than the limit.
      return new Unanswered(error instanceof Error ? error.message : String(error));
    }
  };
  return explain(root, valueOf);
}

type ValueOf = (cel: string) => unknown;

class Unanswered {
  readonly error: string;
  constructor(error: string) {
    this.error = error;
  }
}

function explain(node: ASTNode, valueOf: ValueOf): readonly string[] {
  switch (node.op) {
    case '&&':
      return node.args
        .filter((part) => valueOf(serialize(part)) !== true)
        .slice(0, 1)
        .flatMap((part) => explain(part, valueOf));
    case '||':
      return node.args.flatMap((part) => explain(part, valueOf));
    case '!_':
      return [`${serialize(node.args)} is true`];
    case 'rcall':
      return explainCall(node.args[0], node.args[1], node.args[2], valueOf) ?? [`${serialize(node)} is false`];
    default:
      return [
        COMPARISONS.has(node.op) && Array.isArray(node.args)
          ? explainComparison(node as ASTNode & { readonly args: [ASTNode, ASTNode] }, valueOf)
          : `${serialize(node)} is false`,
      ];
  }
}

function explainComparison(node: ASTNode & { readonly args: [ASTNode, ASTNode] }, valueOf: ValueOf): string {
  const sides = node.args.filter((side) => side.op !== 'value').map((side) => `${serialize(side)} is ${show(valueOf(serialize(side)))}`);
  return `${serialize(node)}: ${sides.length === 0 ? 'is false' : sides.join(', ')}`;
}

/** Explains macros over lists: the decisive items, with the compared values. */
function explainCall(name: string, list: ASTNode, args: readonly ASTNode[], valueOf: ValueOf): readonly string[] | undefined {
  const [item, predicate] = args;
  if (item?.op !== 'id' || predicate === undefined) return undefined;
  const source = serialize(list);
  if (name === 'exists' || name === 'exists_one')
    return [
      `${serialize(predicate)} holds for ${show(valueOf(`${source}.filter(${item.args}, ${serialize(predicate)}).size()`))} of ${show(valueOf(`${source}.size()`))}`,
    ];
  if (name !== 'all') return undefined;
  const wrong = `${source}.filter(${item.args}, !(${serialize(predicate)}))`;
  const items = valueOf(wrong);
  if (!Array.isArray(items)) return [`${serialize(predicate)}: ${show(items)}`];
  const left = COMPARISONS.has(predicate.op) && Array.isArray(predicate.args) ? (predicate.args[0] as ASTNode) : undefined;
  const values = left === undefined ? undefined : valueOf(`${wrong}.map(${item.args}, ${serialize(left)})`);
  const lines = items
    .slice(0, SHOWN)
    .map(
      (each: unknown, index) =>
        `not for ${nameOf(each)}${left !== undefined && Array.isArray(values) ? `: ${serialize(left)} is ${show(values[index])}` : ''}`,
    );
  return items.length > SHOWN ? [...lines, `and not for ${items.length - SHOWN} more`] : lines;
}

function nameOf(item: unknown): string {
  const { kind, metadata } = (item ?? {}) as {
    readonly kind?: unknown;
    readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown };
  };
  if (typeof metadata?.name !== 'string') return show(item);
  return `${String(kind)} ${metadata.namespace === undefined ? '' : `${String(metadata.namespace)}/`}${metadata.name}`;
}

function show(value: unknown): string {
  if (value instanceof Unanswered) return `unknown (${value.error})`;
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (isMapping(value) && value.constructor !== Object) return String(value);
  const text = JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? Number(inner) : inner)) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
