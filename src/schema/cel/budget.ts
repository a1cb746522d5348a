/**
 * The budget of a condition. Evaluation is counted in steps (one for each node of the expression, and more for long texts and lists), so
 * that every host stops at the same place. The library has no such count, so the nodes are wrapped.
 */
import { scratch, memo } from '../../engine/index.ts';
import type { ASTNode } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';

/** A few seconds of work; a condition on every one of 100,000 pods takes a fifth of it. */
const MOST_STEPS = 5_000_000;
/**
 * The number of characters or elements of a value that count as one step when the value is passed on; when it is created or compared, each
 * counts as one.
 */
const A_STEP = 8;
/** The number of pattern instructions that count as one step. */
const MATCHED_A_STEP = 16;
/** The number of characters of a text in a list or map that count as one step when it is compared. */
const COMPARED_A_STEP = 64;

type Evaluate = (this: unknown, evaluator: Evaluator, node: object, context: unknown) => unknown;

type Evaluator = { run(node: object, context: unknown): unknown };

/** A node in the library's internal form: its evaluation is in `meta`, or in the `meta` of a macro's expansion. */
interface Inner {
  readonly op: string;
  readonly args: unknown;
  readonly meta: { evaluate: Evaluate; readonly alternate?: Inner; readonly macro?: { evaluate: Evaluate } };
}

/** The remaining steps; set only during an evaluation, which is synchronous. */
const budget = scratch({ left: Infinity });

export class Exhausted extends Error {}

const exhausted = (): Exhausted =>
  new Exhausted('it takes more than 5,000,000 steps: filter first, and keep lists out of conditions on every element of another');

/**
 * Runs an evaluation within the budget.
 *
 * @throws when it is exceeded, even where the expression itself would ignore an error.
 */
export function withinBudget<T>(act: () => T, steps = MOST_STEPS): { readonly value: T; readonly spent: number } {
  const outer = budget.left;
  budget.left = steps;
  try {
    const value = act();
    if (budget.left < 0) throw exhausted();
    return { value, spent: steps - budget.left };
  } catch (error) {
    throw budget.left < 0 ? exhausted() : error;
  } finally {
    budget.left = outer;
  }
}

/**
 * Counts steps that a function of ours takes besides those of its node.
 *
 * @throws when the budget is exceeded.
 */
export function spend(steps: number): void {
  budget.left -= steps;
  if (budget.left < 0) throw exhausted();
}

/** The number of steps that a value costs where it is evaluated. */
type Cost = (value: unknown) => number;

const lengthOf: Cost = (value) => (typeof value === 'string' || Array.isArray(value) ? value.length : 0);
const passed: Cost = (value) => lengthOf(value) / A_STEP;
const nothing: Cost = () => 0;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the number of steps that it takes to compare a value with an equal one, at most those that remain and a few more. */
export function sizeOf(value: unknown): number {
  if (!isContainer(value)) return lengthOf(value);
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let size = 0;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    size += 1 + (isContainer(item) ? sizeOf(item) : lengthOf(item) / COMPARED_A_STEP);
    if (size > budget.left) break;
  }
  return size;
}

/** Wraps the nodes of an expression so that they count; called once, when it is checked. */
export const meter = (root: ASTNode): void => visit(root, passed);

const isInner = (value: unknown): value is Inner =>
  typeof value === 'object' && value !== null && 'op' in value && 'args' in value && 'meta' in value;

/** `cost`: that of the value. */
function visit(value: unknown, cost: Cost): void {
  if (Array.isArray(value)) for (const each of value) visit(each, cost);
  else if (isInner(value)) {
    const { op, args, meta } = value;
    if (meta.alternate !== undefined) return visit(meta.alternate, cost);
    if (meta.macro !== undefined) {
      meta.macro.evaluate = counting(meta.macro.evaluate, cost);
      // The nodes that a macro evaluates are operands of its call.
      visit(args, cost);
    } else {
      meta.evaluate = counting(matching(op, args, meta.evaluate), op === '+' ? lengthOf : cost);
      visitParts(op, args, cost);
    }
  }
}

/** The operands of a comprehension are named. Its step returns a list that grows in place, whose length does not count each time. */
function visitParts(op: string, args: unknown, cost: Cost): void {
  if (op === 'in') return visitMembership(args as readonly [unknown, unknown]);
  if (op !== 'comprehension') return visit(args, op === '?:' ? cost : op === '==' || op === '!=' ? sizeOf : passed);
  const { iterable, init, step } = args as { readonly iterable: unknown; readonly init: unknown; readonly step: unknown };
  visit([iterable, init], passed);
  visit(step, nothing);
}

/** For a scalar the list costs a step an item, for a list or map all that its items contain. The first operand is evaluated before the list. */
function visitMembership([item, list]: readonly [unknown, unknown]): void {
  const reached = scratch({ costOf: lengthOf });
  visit(item, (value) => {
    reached.costOf = isContainer(value) ? sizeOf : lengthOf;
    return lengthOf(value);
  });
  visit(list, (value) => reached.costOf(value));
}

function counting(evaluate: Evaluate, cost: Cost): Evaluate {
  return function count(evaluator, node, context) {
    if (--budget.left < 0) throw exhausted();
    const value = evaluate.call(this, evaluator, node, context);
    budget.left -= cost(value);
    return value;
  };
}

/** Evaluates `text.matches(pattern)` with a matcher that does not backtrack. */
function matching(op: string, args: unknown, otherwise: Evaluate): Evaluate {
  if (op !== 'rcall') return otherwise;
  const [name, receiver, [argument]] = args as readonly [string, object, readonly object[]];
  if (name !== 'matches' || argument === undefined) return otherwise;
  return function match(evaluator, node, context) {
    const text = evaluator.run(receiver, context);
    const pattern = evaluator.run(argument, context);
    if (typeof text !== 'string' || typeof pattern !== 'string') return otherwise.call(this, evaluator, node, context);
    const compiled = patternOf(pattern);
    spend(text.length * stepsPerCharacter(compiled));
    return compiled.test(text);
  };
}

/** Makes a selection return a value where the member is absent. Other errors remain errors. */
export function onAbsence(node: ASTNode, name: string, value: unknown): void {
  if (!isInner(node)) return;
  const { meta } = node;
  const { evaluate } = meta;
  const select: Evaluate = function (evaluator, of, context) {
    try {
      return evaluate.call(this, evaluator, of, context);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith(`No such key: ${name}\n`)) return value;
      throw error;
    }
  };
  meta.evaluate = select;
}

type Checker = { check(node: object, context: unknown): unknown; getType(name: string): unknown };

interface HasMacro {
  macroHasProps?: unknown;
  evaluate: Evaluate;
  typeCheck(checker: Checker, macro: unknown, context: unknown): unknown;
}

/**
 * Makes `has()` accept any expression before the first dot, also a call; it is false where an intermediate member is absent. The library
 * accepts only variables, and an absent intermediate member is an error.
 */
export function easeHas(nodes: readonly ASTNode[]): void {
  for (const node of nodes) {
    // No other macro is a call without receiver.
    if (node.op !== 'call' || !isInner(node)) continue;
    const names: string[] = [];
    let base: ASTNode | undefined = node.args[1][0];
    while (base !== undefined && base.op === '.') {
      names.unshift(base.args[1]);
      base = base.args[0];
    }
    const macro = node.meta.macro as unknown as HasMacro | undefined;
    if (macro === undefined || base === undefined || names.length === 0 || base.op === '.?') continue;
    const from = base;
    const eased: HasMacro = {
      typeCheck(checker, _macro, context) {
        checker.check(from, context);
        return checker.getType('bool');
      },
      evaluate(evaluator, _node, context) {
        let value: unknown = evaluator.run(from, context);
        for (const name of names) {
          if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
          value = (value as Readonly<Record<string, unknown>>)[name];
        }
        return value !== undefined && value !== null;
      },
    };
    Object.assign(macro, eased);
  }
}

export function nodesOf(root: ASTNode): readonly ASTNode[] {
  const nodes: ASTNode[] = [];
  const collect = (args: unknown): void => {
    // Operands are nodes, names and nested lists of both, depending on the operator.
    if (Array.isArray(args)) for (const arg of args) collect(arg);
    else if (typeof args === 'object' && args !== null && 'op' in args && 'args' in args) {
      nodes.push(args as ASTNode);
      collect(args.args);
    }
  };
  collect(root);
  return nodes;
}

const LONGEST_PATTERN = 1_000;
const KEPT = 200;
const kept = memo(new Map<string, RE2JS>());

/**
 * Returns a compiled pattern of `matches`, as CEL defines it: RE2 syntax, in time linear in the text for every pattern. JavaScript's engines
 * backtrack: `'^(a+)+$'` takes them exponential time. Specified by: CEL, "Regular Expressions".
 *
 * @throws Error that says what is wrong with the pattern.
 */
export function patternOf(pattern: string): RE2JS {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > LONGEST_PATTERN) throw new Error(`a pattern has at most ${LONGEST_PATTERN} characters, this one ${pattern.length}`);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    throw new Error(
      `Invalid regular expression: ${pattern} (${error instanceof Error ? error.message : String(error)}; the syntax is RE2's, without look-around and back-references)`,
      { cause: error },
    );
  }
  if (kept.size >= KEPT) kept.clear();
  kept.set(pattern, compiled);
  return compiled;
}

/** Every character meets every instruction at most once. */
const stepsPerCharacter = (pattern: RE2JS): number => pattern.programSize() / MATCHED_A_STEP;

/** Returns what a pattern finds in a text, one after the other. Each search may read the text to its end. */
export function* found(text: string, pattern: string): Generator<string> {
  const compiled = patternOf(pattern);
  const matcher = compiled.matcher(text);
  for (let at = 0; ; at = matcher.end()) {
    spend((text.length - at) * stepsPerCharacter(compiled));
    if (!matcher.find()) return;
    yield matcher.group() ?? '';
  }
}
