/**
 * Finds the state of a world that is not data: variables that change and are held by a function that outlives their own, variables of
 * modules that change, generators that pause between events, subscriptions, and weak tables, except those of modules whose keys are values,
 * for they only remember what follows from their keys. Such state cannot be read, compared or taken back without a write barrier.
 */
import { transform } from 'esbuild';
import { childrenOf, scopesOf, type Scope, type Scopes, type ScriptNode, type Variable } from '../../src/build/scopes.mjs';
import { LASTING_STATE } from './lasting-places.ts';
import type { SourceFile } from './source.ts';

/** Methods that call what they are given before they return. */
const AT_ONCE = new Set(
  'forEach map filter flatMap some every find findLast findIndex findLastIndex reduce reduceRight sort toSorted from replace replaceAll'.split(
    ' ',
  ),
);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const WEAK = new Set(['WeakMap', 'WeakSet']);

/** Where the state of worlds is: below the lab, and in what drives and judges a run. The undo log is what takes it back. */
const HOLDS_WORLDS = /^src\/(?:engine\/(?!undo\/)|schema\/|apiserver\/|controlplane\/|lab\/(?:simulation|invariants|faults)\/)/;

interface Script {
  readonly scopes: Scopes;
  /** What stands around each function. */
  readonly around: ReadonlyMap<ScriptNode, ScriptNode>;
}

/** Weak tables of modules whose keys are worlds or parts of them. */
const BY_WORLD = /\bnew (WeakMap|WeakSet)<(?:Cluster|Store|World)\b(?!\[)/g;
/** Generators that pause between two events. */
const PAUSING = /\bfunction\* (\w+)[\s\S]{0,300}?\):\s*(\w+)</g;

/** The names of the lasting state in a file, in order: `sorted`, `function* play`, `subscribe`, `WeakMap`. */
async function lastingStateOf({ text }: SourceFile): Promise<string[]> {
  const { code } = await transform(text, { loader: 'ts', target: 'es2022', legalComments: 'none' });
  const found = [
    ...[...text.matchAll(BY_WORLD)].map(([, table = '']) => `${table} by world`),
    ...[...text.matchAll(PAUSING)].flatMap(([, name = '', type]) => (type === 'Passing' ? [`function* ${name}`] : [])),
  ];
  const script = scriptOf(code, (node, scope) => {
    const named = wordFor(node, scope);
    if (named !== undefined) found.push(named);
  });
  for (const scope of script.scopes.scopeOf.values())
    for (const variable of scope.variables.values()) if (lasts(script, variable)) found.push(variable.name);
  return found.sort((one, other) => (one < other ? -1 : 1));
}

/** Subscriptions and weak tables, of functions. */
function wordFor(node: ScriptNode, { fn }: Scope): string | undefined {
  const callee = node['callee'] as ScriptNode | undefined;
  if (callee === undefined || fn.parent === undefined) return undefined;
  if (node.type === 'NewExpression') return WEAK.has(nameOf(callee)) ? nameOf(callee) : undefined;
  return node.type === 'CallExpression' && nameOf(callee['property']) === 'subscribe' ? 'subscribe' : undefined;
}
const nameOf = (node: unknown): string => (node as { name?: string } | null)?.name ?? '';

function scriptOf(code: string, visit: (node: ScriptNode, scope: Scope) => void): Script {
  const scopes = scopesOf(code);
  const around = new Map<ScriptNode, ScriptNode>();
  const walk = (node: ScriptNode, scope: Scope, parent: ScriptNode): void => {
    visit(node, scope);
    if (FUNCTIONS.has(node.type)) around.set(node, parent);
    for (const [child] of childrenOf(node)) walk(child, scopes.scopeOf.get(node) ?? scope, node);
  };
  walk(scopes.ast, scopes.top, scopes.ast);
  return { scopes, around };
}

/** Whether a variable changes and lasts: it is the module's, or a function holds it that may be called after its own has returned. */
function lasts(script: Script, variable: Variable): boolean {
  if (!variable.captured || variable.writes.length === 0) return false;
  if (variable.scope === script.scopes.top) return true;
  const holders = new Set(variable.uses.map(({ scope }) => holderOf(scope, variable)).filter((each) => each !== undefined));
  return [...holders].some((holder) => !isDone(script, holder, new Set()));
}

/** The outermost function between a use and the function of the variable. */
function holderOf(scope: Scope, variable: Variable): ScriptNode | undefined {
  let holder: ScriptNode | undefined;
  for (let at = scope.fn; at !== variable.scope.fn; at = at.parent.fn) {
    holder = at.node;
    if (at.parent === undefined) break;
  }
  return holder;
}

/** Whether a function can only be called while the function around it runs. */
function isDone(script: Script, holder: ScriptNode, asked: Set<ScriptNode>): boolean {
  if (asked.has(holder)) return true;
  asked.add(holder);
  const parent = script.around.get(holder);
  if (parent?.type === 'CallExpression') return parent['callee'] === holder || isCallAtOnce(parent);
  const name = holder.type === 'FunctionDeclaration' ? holder['id'] : parent?.type === 'VariableDeclarator' ? parent['id'] : undefined;
  const around = script.scopes.scopeOf.get(holder)?.parent;
  const variable = name === undefined || around === undefined ? undefined : script.scopes.find(nameOf(name), around);
  if (variable === undefined) return false;
  return variable.uses.every(({ node, scope, parent: of }) => {
    if (node === name) return true;
    const caller = holderOf(scope, variable);
    const isCalled = of.type === 'CallExpression' && (of['callee'] === node || isCallAtOnce(of));
    return isCalled && (caller === undefined || isDone(script, caller, asked));
  });
}

const isCallAtOnce = ({ callee }: ScriptNode): boolean => AT_ONCE.has(nameOf((callee as ScriptNode)['property']));

/** What is not on the list, and what is on the list and gone. `places`: the names in each file. */
export async function brokenLastingState(
  files: readonly SourceFile[],
  places: Readonly<Record<string, string>> = LASTING_STATE,
): Promise<string[]> {
  const judged = files.filter(({ path }) => HOLDS_WORLDS.test(path) && !path.endsWith('.d.ts'));
  const found = new Map(await Promise.all(judged.map(async (file) => [file.path, (await lastingStateOf(file)).join(', ')] as const)));
  const paths = [...new Set([...Object.keys(places), ...found.keys()])];
  return paths.flatMap((path) => {
    const [listed, is] = [places[path] ?? '', found.get(path) ?? ''];
    return listed === is
      ? []
      : `${path}:1 has ${is || 'no lasting state'}, and LASTING_STATE has ${listed || 'nothing'}: new state of a world is a field of a ` +
          `record, never a captured variable; what is gone or has moved is changed in test/layers/lasting-places.ts: '${path}': '${is}',`;
  });
}
