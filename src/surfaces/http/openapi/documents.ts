/** The published documents: one of version 2 for everything, one of version 3 for each group and version. */
import type { FeatureGates } from '../../../apiserver/machinery/index.ts';
import { compareText, present } from '../../../schema/values/index.ts';
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import { groupsOf } from '../discovery/index.ts';
import type { GroupVersion } from '../discovery/resource-list.ts';
import { VERSION } from '../system.ts';
import { ONE_OF_3, type Definition, definitionsOf } from './definitions.ts';
import { operationsOf, type Operation, type Parameter } from './operations.ts';

const INFO = { title: 'Kubernetes', version: VERSION.gitVersion };
const gvkMark = ({ gvk, action }: Operation) => ({ 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': gvk });

/** All groups and versions, core first. */
export const versionsOf = (kinds: KindRegistry): readonly GroupVersion[] => [
  { group: '', version: 'v1' },
  ...groupsOf(kinds).flatMap(({ group, versions }) => versions.map((version) => ({ group, version }))),
];

export type DocumentV2 = ReturnType<typeof documentV2>;

const REF_2 = '#/definitions/';

/** The same names with other values. */
const mapped = <T, R>(all: Readonly<Record<string, T>>, each: (value: T) => R): Readonly<Record<string, R>> =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, each(value)]));

/** The parts of an operation that both versions write in the same way; `body` writes the definition of an answer. */
const operationOf = <B extends object>({ description, id, gvk, responses }: Operation, body: (name: string) => B) => ({
  description,
  operationId: `${id}${gvk.group.split('.')[0] ?? ''}${gvk.version}`,
  responses: mapped(responses, (name) => (name === undefined ? { description: 'Unauthorized' } : { description: 'OK', ...body(name) })),
});

export function documentV2(kinds: KindRegistry, gates: FeatureGates) {
  const definitionSet = definitionsOf(kinds, REF_2, gates);
  const schemaOf = (name: string) => ({ schema: { $ref: `${REF_2}${name}` } });
  const parameter = ({ name, in: place, type, required, schema }: Parameter) =>
    place === 'body' ? { name, in: place, required, ...schemaOf(schema ?? '') } : { name, in: place, type, required, uniqueItems: true };
  const written = (operation: Operation) => {
    const { consumes, produces } = operation;
    const { responses, ...about } = operationOf(operation, schemaOf);
    const parameters = operation.parameters.map(parameter);
    return { ...about, consumes, produces, schemes: ['http'], parameters, responses, ...gvkMark(operation) };
  };
  const paths = versionsOf(kinds)
    .flatMap((at) => operationsOf(kinds, at, definitionSet, gates))
    .map(({ path, operations }) => [path, mapped(operations, written)] as const);
  return { swagger: '2.0', info: INFO, paths: Object.fromEntries(paths), definitions: definitionSet.definitions } as const;
}

const REF_3 = '#/components/schemas/';

export function documentV3(kinds: KindRegistry, gates: FeatureGates, at: GroupVersion): object {
  const definitionSet = definitionsOf(kinds, REF_3, gates);
  const operations = operationsOf(kinds, at, definitionSet, gates);
  const parameter = ({ name, in: place, type, required }: Parameter): object => ({
    name,
    in: place,
    required,
    schema: { type, uniqueItems: true },
  });
  const content = (types: readonly string[], name: string): object =>
    Object.fromEntries(types.map((type) => [type, { schema: { $ref: `${REF_3}${name}` } }]));
  const written = (operation: Operation): object => {
    const { responses, ...about } = operationOf(operation, (name) => ({ content: content(operation.produces, name) }));
    const body = operation.parameters.find((each) => each.in === 'body');
    const requestBody =
      body?.schema === undefined ? {} : { requestBody: { required: body.required, content: content(operation.consumes, body.schema) } };
    const parameters = operation.parameters.filter((each) => each.in !== 'body').map(parameter);
    return { ...about, parameters, ...requestBody, responses, ...gvkMark(operation) };
  };
  const paths = Object.fromEntries(operations.map(({ path, operations: all }) => [path, mapped(all, written)] as const));
  const named = operations
    .flatMap(({ operations: all }) => Object.values(all))
    .flatMap(({ responses, parameters }) => [...Object.values(responses), ...parameters.map(({ schema }) => schema)]);
  return { openapi: '3.0.0', info: INFO, paths, components: { schemas: reachable(definitionSet.definitions, named) } };
}

/** Returns the given definitions and those that they refer to. */
function reachable(all: Readonly<Record<string, Definition>>, from: readonly (string | undefined)[]): Readonly<Record<string, Definition>> {
  const found = new Map<string, Definition>();
  const pending = from.filter((name) => name !== undefined);
  const follow = ({ $ref, properties, items, additionalProperties }: Definition): void => {
    if ($ref !== undefined) pending.push($ref.slice(REF_3.length));
    for (const inner of [...Object.values(properties ?? {}), items, additionalProperties]) if (inner !== undefined) follow(inner);
  };
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const definition = all[name];
    if (definition === undefined || found.has(name)) continue;
    found.set(name, definition);
    follow(definition);
  }
  // In version 3 a reference cannot have siblings, so markers and descriptions wrap it.
  return Object.fromEntries(
    [...found].sort(([a], [b]) => compareText(a, b)).map(([name, definition]) => [name, chosen(name, wrapped(definition))]),
  );
}

/** A number or a string. */
function chosen(name: string, definition: Definition): Definition {
  const types = ONE_OF_3[name.split('.').slice(-2).join('.')];
  if (types === undefined) return definition;
  const { type: _, ...rest } = definition;
  return { ...rest, oneOf: types.map((type) => ({ type })) };
}

function wrapped(definition: Definition): Definition {
  const { $ref, properties, items, additionalProperties, ...rest } = definition;
  if ($ref !== undefined) return Object.keys(rest).length === 0 ? { $ref } : ({ ...rest, allOf: [{ $ref }] } as Definition);
  return present({
    ...rest,
    properties: properties && mapped(properties, wrapped),
    items: items && wrapped(items),
    additionalProperties: additionalProperties && wrapped(additionalProperties),
  });
}
