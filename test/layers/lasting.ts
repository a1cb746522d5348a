/**
 * Finds the state of a world that is not data: variables that change and are held by a function that outlives their own, variables and
 * tables of modules that change, generators that pause between events, subscriptions, and weak tables. Such state cannot be read, compared
 * or taken back without a write barrier. What `memo` and `scratch` of the engine declare is none: `test/lab/forgotten.test.ts` forgets it.
 */
import { transform } from 'esbuild';
import { childrenOf, scopesOf, targetsOf, type Scope, type Scopes, type ScriptNode, type Variable } from '../../src/build/scopes.mjs';
import type { SourceFile } from './source.ts';

/** Methods that call what they are given before they return. */
const AT_ONCE = new Set(
  'forEach map filter flatMap some every find findLast findIndex findLastIndex reduce reduceRight sort toSorted from replace replaceAll'.split(
    ' ',
  ),
);
/** Methods that change what they are called on. */
const CHANGES = new Set('set add delete clear push pop shift unshift splice sort reverse fill copyWithin'.split(' '));
/** Functions that change their first argument. */
const HELPERS = new Set('addTo append bump keptIn pushTo removeFrom'.split(' '));
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const WEAK = new Set(['WeakMap', 'WeakSet']);
/** The functions of the engine that declare what holds no state. */
const MEMORIES = new Set(['memo', 'scratch']);

/** Where the state of worlds is: below the lab, and in what drives and judges a run. The undo log is what takes it back. */
const HOLDS_WORLDS = /^src\/(?:engine\/(?!undo\/)|schema\/|apiserver\/|controlplane\/|lab\/(?:simulation|invariants|faults)\/)/;

interface Script {
  readonly scopes: Scopes;
  /** What stands around each function. */
  readonly around: ReadonlyMap<ScriptNode, ScriptNode>;
}

/** Weak tables whose keys are worlds or parts of them. */
const BY_WORLD = /\bnew (WeakMap|WeakSet)<(?:Cluster|Kernel|Process|Runtime|Server|Store|World)\b(?!\[)/g;
/** Generators that pause between two events. */
const PAUSING = /\bfunction\* (\w+)[\s\S]{0,300}?\):\s*(\w+)</g;

interface Found {
  /** The names of the lasting state, in order: `function* play`, `sorted`, `subscribe`, `WeakMap`. */
  readonly names: readonly string[];
  /** What the file imports and changes: the module that declares it may say that it holds no state. */
  readonly changedImports: ReadonlySet<string>;
  /** The memories of the module, by their names. */
  readonly memories: ReadonlySet<string>;
}

async function lastingStateOf({ text }: SourceFile): Promise<Found> {
  const { code } = await transform(text, { loader: 'ts', target: 'es2022', legalComments: 'none' });
  const names = [
    ...[...text.matchAll(BY_WORLD)].map(([, table = '']) => `${table} by world`),
    ...[...text.matchAll(PAUSING)].flatMap(([, name = '', type]) => (type === 'Passing' ? [`function* ${name}`] : [])),
  ];
  const scopes = scopesOf(code);
  const around = new Map<ScriptNode, ScriptNode>();
  const changed = new Set<Variable>();
  const visit = (node: ScriptNode, scope: Scope, parent: ScriptNode, isMemory: boolean): void => {
    const isFunction = FUNCTIONS.has(node.type);
    if (isFunction) around.set(node, parent);
    const named = wordFor(node, isMemory);
    if (named !== undefined) names.push(named);
    for (const member of scope.fn === scopes.top ? [] : membersChangedBy(node)) {
      const variable = rootOf(member, scope, scopes);
      // A class is named in a scope of its own.
      if (variable?.scope === scopes.top || (variable?.kind === 'class' && variable.scope.parent === scopes.top)) changed.add(variable);
    }
    const within = !isFunction && (isMemory || isMemo(node));
    for (const [child] of childrenOf(node)) visit(child, scopes.scopeOf.get(node) ?? scope, node, within);
  };
  visit(scopes.ast, scopes.top, scopes.ast, false);
  for (const scope of scopes.scopeOf.values())
    for (const variable of scope.variables.values()) if (lasts({ scopes, around }, variable)) names.push(variable.name);
  const memories = new Set([...scopes.top.variables.values()].filter(({ init }) => init && isMemo(init)).map(({ name }) => name));
  for (const { name, kind } of changed) if (kind !== 'import' && !memories.has(name)) names.push(name);
  const changedImports = new Set([...changed].filter(({ kind }) => kind === 'import').map(({ name }) => name));
  return { names: names.sort((one, other) => (one < other ? -1 : 1)), changedImports, memories };
}

/** Subscriptions, and weak tables that are no memories. */
function wordFor(node: ScriptNode, isMemory: boolean): string | undefined {
  const callee = node['callee'] as ScriptNode | undefined;
  if (callee === undefined) return undefined;
  if (node.type === 'NewExpression') return WEAK.has(nameOf(callee)) && !isMemory ? nameOf(callee) : undefined;
  return node.type === 'CallExpression' && nameOf(callee['property']) === 'subscribe' ? 'subscribe' : undefined;
}
const nameOf = (node: unknown): string => (node as { name?: string } | null)?.name ?? '';
const isMemo = ({ type, ...node }: ScriptNode): boolean => type === 'CallExpression' && MEMORIES.has(nameOf(node['callee']));

/** The members that a node sets, removes or calls to change what they are members of, and what it passes to a function that does. */
function membersChangedBy(node: ScriptNode): ScriptNode[] {
  const part = (name: string): ScriptNode => node[name] as ScriptNode;
  switch (node.type) {
    case 'CallExpression':
      if (HELPERS.has(nameOf(part('callee')))) return (node['arguments'] as ScriptNode[]).slice(0, 1);
      return isMember(part('callee')) && CHANGES.has(nameOf(part('callee')['property'])) ? [part('callee')] : [];
    case 'AssignmentExpression':
      return targetsOf(part('left')).filter(isMember);
    case 'UpdateExpression':
      return [part('argument')].filter(isMember);
    case 'UnaryExpression':
      return node['operator'] === 'delete' ? [part('argument')].filter(isMember) : [];
    default:
      return [];
  }
}
const isMember = ({ type }: ScriptNode): boolean => type === 'MemberExpression';

/** The variable at the beginning of a member: `a` in `a.b.c`. */
function rootOf(member: ScriptNode, scope: Scope, scopes: Scopes): Variable | undefined {
  let at = member;
  while (at.type === 'MemberExpression') at = at['object'] as ScriptNode;
  return at.type === 'Identifier' ? scopes.find(nameOf(at), scope) : undefined;
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

/** The lasting state in the files: there may be none. */
export async function brokenLastingState(files: readonly SourceFile[]): Promise<string[]> {
  const judged = files.filter(({ path }) => HOLDS_WORLDS.test(path) && !path.endsWith('.d.ts'));
  const found = await Promise.all(judged.map(async (file) => ({ path: file.path, ...(await lastingStateOf(file)) })));
  const memories = new Set(found.flatMap((each) => [...each.memories]));
  return found.flatMap(({ path, names, changedImports }) =>
    [...names, ...[...changedImports].filter((name) => !memories.has(name))].map(
      (name) =>
        `${path}:1 holds ${name}: the state of a world is a field of a record, never a captured variable or a table of a module; what only ` +
        'remembers what follows from something else is a `memo` of the engine',
    ),
  );
}
