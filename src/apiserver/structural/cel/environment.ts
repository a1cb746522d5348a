/**
 * What rules are checked against before they run: the types of their values. Models: v1.24 apiextensions-apiserver pkg/apiserver/schema/cel
 * compilation.go.
 */
import { Environment } from '@marcbachmann/cel-js';
import { withLibrary } from '../../../schema/cel/index.ts';
import type { Structural } from '../members.ts';
import { escaped, isResource, selectable } from './values.ts';

const OPTIONS = { homogeneousAggregateLiterals: false, limits: { maxAstNodes: 2_000, maxDepth: 60 } } as const;

/** The environment in which rules run: values are maps, so that equal ones are equal. */
export const runtime = (): Environment =>
  withLibrary(new Environment(OPTIONS)).registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');

/** Values of a type exist only while expressions are checked, so one class stands for all of them. */
class Typed {
  readonly exists = false;
}

export function typed(node: Structural, isRoot: boolean): Environment {
  const environment = withLibrary(new Environment(OPTIONS));
  const type = typeOf(environment, node, 'object', isRoot);
  return environment.registerVariable('self', type).registerVariable('oldSelf', type);
}

const SCALARS: Readonly<Record<string, string>> = { integer: 'int', number: 'double', boolean: 'bool', string: 'string' };
const FORMATS: Readonly<Record<string, string>> = {
  byte: 'bytes',
  date: 'google.protobuf.Timestamp',
  'date-time': 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

/** Returns the name of the type of a node, which is registered with all below it. */
function typeOf(environment: Environment, node: Structural, name: string, isRoot = false): string {
  const { type = '', format = '', items, additionalProperties: more } = node;
  if (node['x-kubernetes-int-or-string'] === true) return 'dyn';
  if (type === 'string') return FORMATS[format] ?? 'string';
  if (type === 'array') return `list<${typeOf(environment, items ?? {}, `${name}.items`)}>`;
  if (type !== 'object') return SCALARS[type] ?? 'dyn';
  if (typeof more === 'object') return `map<string, ${typeOf(environment, more, `${name}.values`)}>`;
  const fields: Record<string, string> = {};
  for (const [property, of] of Object.entries(selectable(node, isResource(node, isRoot)))) {
    const spelt = escaped(property);
    if (spelt !== undefined) fields[spelt] = typeOf(environment, of, `${name}.${spelt}`);
  }
  environment.registerType(name, { ctor: class extends Typed {}, fields });
  environment.registerOperator(`${name} == ${name}`, () => true);
  return name;
}
