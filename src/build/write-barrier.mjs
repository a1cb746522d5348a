// Puts a barrier before every write of a script: to members of objects, to lists, and to variables that functions share. Maps, sets and weak
// tables become those of the undo log, which note their changes themselves. The scripts stay what they are otherwise; an assignment that
// cannot be watched fails the build.
import { childrenOf, scopesOf, targetsOf } from './scopes.mjs';

const TABLES = new Set(['Map', 'Set', 'WeakMap', 'WeakSet']);
/** Methods of lists before which one look at the list is enough. */
const NOTED = { push: '$push', pop: '$pop', shift: '$shift', sort: '$all', reverse: '$all', fill: '$all', copyWithin: '$all' };
/** Methods whose arguments say what changes. */
const REPLACED = { splice: '$splice', unshift: '$unshift' };
/** Functions of the language that write to their first argument. */
const WRITERS = { 'Object.assign': '$assign', 'Reflect.deleteProperty': '$deleteProperty' };
const FORBIDDEN = new Set(['Object.defineProperties', 'Object.setPrototypeOf', 'Reflect.set', 'Reflect.defineProperty']);
/** Methods and functions that return a new list or record. */
const MAKERS = new Set([
  'map',
  'filter',
  'slice',
  'flatMap',
  'flat',
  'concat',
  'toSorted',
  'keys',
  'values',
  'entries',
  'from',
  'of',
  'split',
  'matchAll',
  'fromEntries',
  'create',
]);

/** Returns the script with barriers. `sourceType`: `module` or `script`. */
export function withWriteBarrier(code, { sourceType, name }) {
  const scopes = scopesOf(code, { sourceType });
  const edits = [];
  const watch = watcher({ code, scopes, edits, name });
  const visit = (node, scope, parent) => {
    const inner = scopes.scopeOf.get(node) ?? scope;
    watch(node, inner, parent);
    for (const [child] of childrenOf(node)) visit(child, inner, node);
  };
  for (const each of scopes.ast.body) visit(each, scopes.top, scopes.ast);
  return applied(code, edits);
}

/** Edits are `{ at, end, text, order }`; of insertions at one place, those that close come first, the innermost before the others. */
function applied(code, edits) {
  edits.sort((one, other) => one.at - other.at || one.order - other.order);
  const parts = [];
  let at = 0;
  for (const { at: from, end, text } of edits) {
    if (from < at) throw new Error(`two edits of one place: ${code.slice(from, from + 60)}`);
    parts.push(code.slice(at, from), text);
    at = end;
  }
  parts.push(code.slice(at));
  return parts.join('');
}

function watcher({ code, scopes, edits, name }) {
  const text = ({ start, end }) => code.slice(start, end);
  const refuse = (node, reason) => {
    throw new Error(`${name}: the write barrier cannot watch ${JSON.stringify(text(node).slice(0, 100))}: ${reason}`);
  };
  /** Around a node. Outer nodes come first, so what comes first opens first and closes last. */
  const wrap = (node, before, after) => {
    if (node.type === 'SequenceExpression') refuse(node, 'it is a sequence');
    edits.push({ at: node.start, end: node.start, text: before, order: 1 + edits.length });
    edits.push({ at: node.end, end: node.end, text: after, order: -edits.length });
  };
  /** Replaces what stands between two nodes, behind the parenthesis of the first. */
  const between = (start, end, by) => replace(start + code.slice(start, end).lastIndexOf(')') + 1, end, by);
  const replace = (start, end, by) => edits.push({ at: start, end, text: by, order: 0 });
  const tools = { text, refuse, wrap, replace, between, scopes };
  return (node, scope, parent) => {
    switch (node.type) {
      case 'AssignmentExpression':
        return watchAssignment(tools, node, scope);
      case 'UpdateExpression':
        return node.argument.type === 'MemberExpression'
          ? watchMember(tools, node, node.argument, scope)
          : watchTargets(tools, node, [node.argument], scope);
      case 'UnaryExpression':
        return node.operator === 'delete' ? watchDelete(tools, node.argument, scope) : undefined;
      case 'VariableDeclaration':
        return node.kind === 'var' ? watchVar(tools, node, scope) : undefined;
      case 'ForOfStatement':
      case 'ForInStatement':
        if (node.left.type !== 'VariableDeclaration' && needsWatch(tools, targetsOf(node.left), scope))
          refuse(node.left, 'a loop assigns to it');
        return undefined;
      case 'CallExpression':
        return watchCall(tools, node, scope);
      case 'Identifier':
        return TABLES.has(node.name) && isTable(tools, node, scope, parent)
          ? edits.push({ at: node.start, end: node.start, text: '$', order: Infinity })
          : undefined;
      default:
        return undefined;
    }
  };
}

/** Expressions that may be computed twice. */
const isPure = (node) =>
  node.type === 'Identifier' ||
  node.type === 'Literal' ||
  node.type === 'ThisExpression' ||
  (node.type === 'MemberExpression' && isPure(node.object) && (!node.computed || isPure(node.property))) ||
  (node.type === 'BinaryExpression' && isPure(node.left) && isPure(node.right)) ||
  (node.type === 'UnaryExpression' && node.operator === '-' && isPure(node.argument)) ||
  (node.type === 'TemplateLiteral' && node.expressions.every(isPure));

/** A global table class, where it is a value: constructed, extended, or asked about. Tables of modules hold no state of a world, except weak ones. */
function isTable({ scopes }, node, scope, parent) {
  if (scopes.find(node.name, scope) !== undefined) return false;
  if (parent.type === 'MemberExpression' && parent.property === node && !parent.computed) return false;
  if (parent.type === 'Property' && parent.key === node && parent.value !== node) return false;
  if (parent.type === 'BinaryExpression' && parent.operator === 'instanceof') return false;
  if (scope.fn === scopes.top) return node.name.startsWith('Weak');
  return parent.type !== 'NewExpression' || !isOfOneCall(tableOf(scopes, parent, scope), parent);
}

/** The constant that a new table is the value of. */
function tableOf(scopes, made, scope) {
  for (let at = scope; at !== undefined && at.fn === scope.fn; at = at.parent)
    for (const variable of at.variables.values()) if (variable.kind === 'const' && variable.init === made) return variable;
  return undefined;
}
const READS_AND_WRITES = new Set(['get', 'set', 'has', 'add', 'delete', 'size', 'values', 'keys', 'entries', 'forEach']);
/** Whether a table is used by the call that makes it, and by nothing else. */
const isOfOneCall = (variable, made) =>
  variable !== undefined &&
  !variable.captured &&
  variable.uses.every(
    ({ node, parent }) =>
      (parent.type === 'MemberExpression' && parent.object === node && !parent.computed && READS_AND_WRITES.has(parent.property.name)) ||
      (parent.type === 'ForOfStatement' && parent.right === node) ||
      parent.type === 'SpreadElement' ||
      (parent.type === 'VariableDeclarator' && parent.init === made),
  );

/** Whether an object was made by the function that changes it now: then no moment lies between. */
function isFresh({ scopes }, object, scope) {
  if (isMaker(object)) return true;
  if (object.type === 'ThisExpression') return isInConstructor(scope);
  if (object.type !== 'Identifier') return false;
  const variable = scopes.find(object.name, scope);
  return (
    variable?.kind === 'const' &&
    variable.scope.fn === scope.fn &&
    variable.scope.fn !== scopes.top &&
    variable.init &&
    isMaker(variable.init)
  );
}
const isMaker = ({ type, callee }) =>
  type === 'ArrayExpression' ||
  type === 'ObjectExpression' ||
  type === 'NewExpression' ||
  (type === 'CallExpression' &&
    callee.type === 'MemberExpression' &&
    !callee.computed &&
    MAKERS.has(callee.property.name) &&
    isListMaker(callee));
/** `values` of a record may be a method of anything. */
const isListMaker = ({ object, property: { name } }) =>
  !['keys', 'values', 'entries', 'from', 'of', 'create', 'fromEntries'].includes(name) ||
  object.name === 'Object' ||
  object.name === 'Array';
const isInConstructor = (scope) => scope.fn.isConstructor === true;

function watchAssignment(tools, node, scope) {
  if (node.left.type === 'MemberExpression') return watchMember(tools, node, node.left, scope);
  return watchTargets(tools, node, targetsOf(node.left), scope);
}

const keyOf = ({ text }, member) => (member.computed ? text(member.property) : JSON.stringify(member.property.name));
const isShared = ({ scopes }, name, scope) => {
  const variable = scopes.find(name, scope);
  return variable?.captured === true && variable.scope !== scopes.top;
};
const needsWatch = (tools, targets, scope) =>
  targets.some((each) => (each.type === 'Identifier' ? isShared(tools, each.name, scope) : !isFresh(tools, each.object, scope)));

/** `o.k = v`, `o.k++`, `o.k ??= v`. */
function watchMember(tools, node, member, scope) {
  const { text, wrap, between, refuse } = tools;
  if (member.object.type === 'Super') refuse(node, 'it writes to super');
  if (isFresh(tools, member.object, scope)) return;
  if (member.property.type === 'PrivateIdentifier') {
    if (!isPure(member.object)) refuse(node, 'its object is computed');
    wrap(node, `(${condition(node, text(member))}&&${noteOfPlace(text(member))},`, ')');
  } else if (isPure(member.object) && (!member.computed || isPure(member.property)))
    wrap(node, `(${condition(node, text(member))}&&$field(${text(member.object)},${keyOf(tools, member)},${text(member)}),`, ')');
  else if (!member.computed || isPure(member.property)) wrap(member.object, '$field(', `,${keyOf(tools, member)})`);
  else if (node.type === 'AssignmentExpression' && node.operator === '=') {
    wrap(node, '$set(', ')');
    between(member.object.end, member.property.start, ',');
    between(member.property.end, node.right.start, ',');
  } else refuse(node, 'its key is computed');
}

/** Whether an assignment is noted: `a ??= b` may assign nothing. */
const condition = ({ operator }, place) =>
  operator === '??=' ? `$recording&&${place}==null` : operator === '||=' ? `$recording&&!${place}` : '$recording';
const noteOfPlace = (place) => `$variable(($value)=>{const $was=${place};${place}=$value;return $was;},${place})`;

/** Variables, and patterns of several targets. */
function watchTargets(tools, node, targets, scope) {
  const { text, wrap, refuse } = tools;
  const notes = targets.flatMap((each) => {
    if (each.type === 'Identifier') return isShared(tools, each.name, scope) ? [noteOfPlace(each.name)] : [];
    if (isFresh(tools, each.object, scope)) return [];
    if (!isPure(each.object) || (each.computed && !isPure(each.property))) refuse(node, 'a target of the pattern is computed');
    return [each.property.type === 'PrivateIdentifier' ? noteOfPlace(text(each)) : `$field(${text(each.object)},${keyOf(tools, each)})`];
  });
  if (notes.length > 0) wrap(node, `(${condition(node, text(targets[0]))}&&(${notes.join(',')}),`, ')');
}

/** A `var` is set again each time its declaration is reached. */
function watchVar(tools, { declarations }, scope) {
  for (const { id, init } of declarations) {
    if (init === null) continue;
    const shared = targetsOf(id).filter(({ name }) => isShared(tools, name, scope));
    if (shared.length > 0) tools.wrap(init, `($recording&&(${shared.map(({ name }) => noteOfPlace(name)).join(',')}),`, ')');
  }
}

function watchDelete(tools, argument, scope) {
  const member = argument.type === 'ChainExpression' ? argument.expression : argument;
  if (member.type !== 'MemberExpression') return tools.refuse(argument, 'it deletes no member');
  if (isFresh(tools, member.object, scope)) return undefined;
  if (member.computed && !isPure(member.property)) return tools.wrap(member.object, '$all(', ')');
  return tools.wrap(member.object, '$delete(', `,${keyOf(tools, member)})`);
}

function watchCall(tools, node, scope) {
  const { callee, arguments: given } = node;
  if (callee.type !== 'MemberExpression' || callee.computed || callee.object.type === 'Super') return undefined;
  const method = callee.property.name;
  const applied = callee.object.property?.name;
  if ((method === 'apply' || method === 'call') && (Object.hasOwn(NOTED, applied) || Object.hasOwn(REPLACED, applied))) {
    if (!Object.hasOwn(NOTED, applied)) tools.refuse(node, 'it is applied');
    return tools.wrap(given[0], `${NOTED[applied]}(`, ')');
  }
  const path = callee.object.type === 'Identifier' ? `${callee.object.name}.${method}` : '';
  if (FORBIDDEN.has(path) && !isFresh(tools, given[0], scope)) tools.refuse(node, 'it has no barrier');
  if (Object.hasOwn(WRITERS, path)) {
    if (given[0] !== undefined && !isFresh(tools, given[0], scope)) tools.replace(callee.start, callee.end, WRITERS[path]);
  } else if (Object.hasOwn(NOTED, method)) {
    if (!isFresh(tools, callee.object, scope)) tools.wrap(callee.object, `${NOTED[method]}(`, ')');
  } else if (Object.hasOwn(REPLACED, method) && !isFresh(tools, callee.object, scope)) {
    if (node.optional || callee.optional || given.length === 0) tools.refuse(node, 'its list may be missing');
    tools.wrap(node, `${REPLACED[method]}(`, '');
    tools.between(callee.object.end, given[0].start, ',');
  }
  return undefined;
}
