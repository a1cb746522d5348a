// Finds the scopes of a script and its variables: which of them change, and which a function holds that may outlive their own.
import { parse } from 'acorn';

/** A function, a block, a module: what may declare variables. `fn` is the scope of the function around it. */
class Scope {
  variables = new Map();
  constructor(node, parent, isFunction) {
    this.node = node;
    this.parent = parent;
    this.fn = isFunction ? this : parent.fn;
  }
}

const isFunction = ({ type }) => type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
const isNode = (value) => typeof value === 'object' && value !== null && typeof value.type === 'string';
const OPENS = new Set([
  'BlockStatement',
  'StaticBlock',
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'SwitchStatement',
  'CatchClause',
]);

/** The nodes directly below a node, with the names of their members. */
export function* childrenOf(node) {
  for (const key in node) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const each of value) if (isNode(each)) yield [each, key];
    } else if (isNode(value)) yield [value, key];
  }
}

/** The identifiers and members that a pattern assigns to. */
export function targetsOf(pattern, found = []) {
  switch (pattern?.type) {
    case 'Identifier':
    case 'MemberExpression':
      found.push(pattern);
      break;
    case 'ObjectPattern':
      for (const each of pattern.properties) targetsOf(each.type === 'RestElement' ? each : each.value, found);
      break;
    case 'ArrayPattern':
      for (const each of pattern.elements) targetsOf(each, found);
      break;
    case 'AssignmentPattern':
      targetsOf(pattern.left, found);
      break;
    case 'RestElement':
      targetsOf(pattern.argument, found);
      break;
    default:
  }
  return found;
}

const namesOf = (pattern) => targetsOf(pattern).map(({ name }) => name);

/**
 * The scopes of a script. `scopeOf` has those that a node opens. A variable is `{ name, kind, scope, init, captured, writes, uses }`: captured
 * when a function inside that of its scope reads or writes it; `writes` are its assignments after the declaration, `uses` the places where
 * it is named, with what stands around.
 */
export function scopesOf(code, { sourceType = 'module' } = {}) {
  const ast = parse(code, { ecmaVersion: 'latest', sourceType });
  const scopeOf = new Map();
  const top = open(ast, undefined, true);
  for (const each of ast.body) declareIn(each, top);
  for (const each of ast.body) refer(each, top, ast);
  return { ast, top, scopeOf, find };

  function open(node, parent, ofFunction) {
    const scope = new Scope(node, parent, ofFunction);
    scopeOf.set(node, scope);
    return scope;
  }
  function declare(scope, name, kind, init) {
    if (!scope.variables.has(name)) scope.variables.set(name, { name, kind, scope, init, captured: false, writes: [], uses: [] });
  }
  function declareIn(node, scope) {
    let inner = scope;
    if (isFunction(node)) {
      if (node.type === 'FunctionDeclaration') declare(scope, node.id.name, 'function');
      inner = open(node, scope, true);
      if (node.type === 'FunctionExpression' && node.id !== null) declare(inner, node.id.name, 'self');
      for (const name of node.params.flatMap(namesOf)) declare(inner, name, 'parameter');
    } else if (OPENS.has(node.type)) {
      inner = open(node, scope, false);
      if (node.type === 'CatchClause') for (const name of namesOf(node.param)) declare(inner, name, 'parameter');
    } else if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') {
      if (node.type === 'ClassDeclaration') declare(scope, node.id.name, 'class');
      inner = open(node, scope, false);
      if (node.id !== null) declare(inner, node.id.name, 'class');
    } else if (node.type === 'PropertyDefinition' && node.value !== null) inner = open(node, scope, true);
    else if (node.type === 'VariableDeclaration') {
      const target = node.kind === 'var' ? scope.fn : scope;
      for (const { id, init } of node.declarations)
        for (const name of namesOf(id)) declare(target, name, node.kind, id.type === 'Identifier' ? init : undefined);
    } else if (node.type === 'ImportDeclaration') for (const { local } of node.specifiers) declare(scope, local.name, 'import');
    for (const [child] of childrenOf(node)) declareIn(child, inner);
    if (node.type === 'MethodDefinition' && node.kind === 'constructor') scopeOf.get(node.value).isConstructor = true;
  }
  function find(name, scope) {
    for (let at = scope; at !== undefined; at = at.parent) {
      const variable = at.variables.get(name);
      if (variable !== undefined) return variable;
    }
    return undefined;
  }
  function use(name, scope) {
    const variable = find(name, scope);
    if (variable !== undefined && variable.scope.fn !== scope.fn) variable.captured = true;
    return variable;
  }
  function refer(node, scope, parent) {
    const inner = scopeOf.get(node) ?? scope;
    if (node.type === 'Identifier') use(node.name, scope)?.uses.push({ node, scope, parent });
    for (const each of writtenBy(node)) if (each.type === 'Identifier') use(each.name, inner)?.writes.push(node);
    for (const [child, key] of childrenOf(node)) if (!isNameOnly(node, key)) refer(child, inner, node);
  }
}

/** The targets that a node assigns to, apart from first values of declarations that are not `var`. */
function writtenBy(node) {
  if (node.type === 'AssignmentExpression') return targetsOf(node.left);
  if (node.type === 'UpdateExpression') return targetsOf(node.argument);
  if ((node.type === 'ForOfStatement' || node.type === 'ForInStatement') && node.left.type !== 'VariableDeclaration')
    return targetsOf(node.left);
  return [];
}

/** Whether the member of a node is a name, and no reference to a variable. */
function isNameOnly({ type, computed }, key) {
  if (type === 'MemberExpression') return key === 'property' && !computed;
  if (type === 'Property' || type === 'MethodDefinition' || type === 'PropertyDefinition') return key === 'key' && !computed;
  if (type === 'LabeledStatement' || type === 'BreakStatement' || type === 'ContinueStatement') return key === 'label';
  if (type === 'ExportSpecifier') return key === 'exported';
  return type === 'ImportSpecifier' || type === 'ImportDefaultSpecifier' || type === 'ImportNamespaceSpecifier' || type === 'MetaProperty';
}
