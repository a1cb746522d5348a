/**
 * The names that a definition gets, and its conditions: what upstream's server finds out in controllers of its own. Models: v1.24
 * apiextensions-apiserver pkg/controller/status naming_controller.go, establish, apiapproval.
 */
import { type ApiObject, type FoundCondition as Found, type KindContext, sameValue, withCondition } from '../../machinery/index.ts';
import type { CustomResourceDefinition, DefinitionNames } from './shape.ts';

const ACCEPTED: Found = { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
const REFUSED: Found = { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
const ESTABLISHED: Found = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};

/** The names that other definitions of the group have. */
function namesInUse(self: CustomResourceDefinition, all: Iterable<ApiObject>) {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const each of all as Iterable<CustomResourceDefinition>) {
    if (each.metadata.name === self.metadata.name || each.spec.group !== self.spec.group) continue;
    const { plural, singular, shortNames, kind, listKind } = each.status.acceptedNames ?? {};
    for (const name of [plural, singular, ...(shortNames ?? [])]) if (name !== undefined && name !== '') resources.add(name);
    for (const name of [kind, listKind]) if (name !== undefined && name !== '') kinds.add(name);
  }
  return { resources, kinds };
}

/** Returns the accepted names, and the condition about them: the last conflict is named. */
function accepted(object: CustomResourceDefinition, all: Iterable<ApiObject>): { readonly names: DefinitionNames; readonly found: Found } {
  const { resources, kinds } = namesInUse(object, all);
  const asked = object.spec.names ?? {};
  const names: { -readonly [K in keyof DefinitionNames]: DefinitionNames[K] | undefined } = { ...object.status.acceptedNames };
  let found = ACCEPTED;
  const settle = (name: 'plural' | 'singular' | 'kind' | 'listKind', used: ReadonlySet<string>, reason: string): void => {
    const value = asked[name];
    if (value === undefined || value === names[name] || !used.has(value)) names[name] = value;
    else found = { ...ACCEPTED, status: 'False', reason, message: `${JSON.stringify(value)} is already in use` };
  };
  settle('plural', resources, 'PluralConflict');
  settle('singular', resources, 'SingularConflict');
  const taken = (asked.shortNames ?? []).filter((name) => !(names.shortNames ?? []).includes(name) && resources.has(name));
  if (taken.length === 0) names.shortNames = asked.shortNames;
  else {
    const texts = taken.map((name) => `${JSON.stringify(name)} is already in use`);
    found = {
      ...ACCEPTED,
      status: 'False',
      reason: 'ShortNamesConflict',
      message: texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`,
    };
  }
  settle('kind', kinds, 'KindConflict');
  settle('listKind', kinds, 'ListKindConflict');
  names.categories = asked.categories;
  return { names: Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined)), found };
}

/** Whether the kind of a definition is served: its names are accepted, and were from the beginning. */
export const isEstablished = ({ status }: CustomResourceDefinition): boolean =>
  (status.conditions ?? []).some(({ type, status: is }) => type === 'Established' && is === 'True');

/** Returns the definition with its names and conditions as of now; the same object when nothing changes. */
export function settled(object: CustomResourceDefinition, all: Iterable<ApiObject>, { now }: KindContext): CustomResourceDefinition {
  const { names, found } = accepted(object, all);
  const before = object.status.conditions ?? [];
  const named = withCondition(before, found, now);
  const conditions = isEstablished(object) ? named : withCondition(named, found.status === 'True' ? ESTABLISHED : REFUSED, now);
  if (conditions === before && sameValue(names, object.status.acceptedNames ?? {})) return object;
  return { ...object, status: { ...object.status, conditions, acceptedNames: names } };
}
