/** What is valid of a definition. Models: v1.24 apiextensions-apiserver pkg/apis/apiextensions/validation validation.go. */
import { perObject } from '../../../engine/index.ts';
import { append, compareText, isDns1035Label, isDns1123Subdomain } from '../../../schema/values/index.ts';
import { type FieldError, type KindContext, type Names, sameValue } from '../../machinery/index.ts';
import { COLUMN_TYPES, pathSteps, ruleErrors, storedForm, type Structural, structuralErrors } from '../../structural/index.ts';
import {
  forbidden,
  invalid,
  notSupported,
  ofEach,
  required,
  validateMeta,
  validateMetaUpdate,
  webhookClientErrors,
} from '../../validation/index.ts';
import { isEstablished } from './conditions.ts';
import type { CustomResourceDefinition, DefinitionNames, DefinitionVersion } from './shape.ts';

type Spec = CustomResourceDefinition['spec'];

const joined = (field: string, value: string, problems: readonly string[], before = ''): readonly FieldError[] =>
  problems.length === 0 ? [] : [invalid(field, value, `${before}${problems.join(',')}`)];

/** Returns the annotation by which a definition in a group of the project is approved. */
const approvalKey = (names: Names): string => names.key('api-approved', '').slice(0, -1);

const isProtected = (group: string, { domain }: Names): boolean =>
  [domain, ...(domain === 'k8s.io' ? ['kubernetes.io'] : [])].some((each) => group === each || group.endsWith(`.${each}`));

/** What is valid of metadata: the name is that of the resource, and a group of the project needs an approval. */
export function metadataErrors(object: CustomResourceDefinition, context: KindContext): readonly FieldError[] {
  const { group = '', names } = object.spec;
  const wanted = `${names?.plural ?? ''}.${group}`;
  const errors = [
    ...validateMeta(
      object,
      false,
      (name) => [...isDns1123Subdomain(name), ...(name === wanted ? [] : ['must be spec.names.plural+"."+spec.group'])],
      context,
      false,
    ),
  ];
  const key = approvalKey(context.names);
  if (!isProtected(group, context.names)) return errors;
  const approval = object.metadata.annotations?.[key] ?? '';
  const at = `metadata.annotations[${key}]`;
  const seeing = 'see https://github.com/kubernetes/enhancements/pull/1111';
  if (approval === '') errors.push(required(at, `protected groups must have approval annotation "${key}", ${seeing}`));
  else if (!approval.startsWith('unapproved') && !/^https?:\/\/[^\s/]+/.test(approval))
    errors.push(
      invalid(
        at,
        approval,
        `protected groups must have approval annotation "${key}" with either a URL or a reason starting with "unapproved", ${seeing}`,
      ),
    );
  return errors;
}

export function specErrors({ spec }: CustomResourceDefinition): readonly FieldError[] {
  const { group = '', scope = '', versions, names } = spec;
  const errors: FieldError[] = [];
  if (group === '') errors.push(required('spec.group'));
  else {
    const problems = isDns1123Subdomain(group);
    append(errors, joined('spec.group', group, problems));
    if (problems.length === 0 && !group.includes('.'))
      errors.push(invalid('spec.group', group, 'should be a domain with at least one dot'));
  }
  if (scope === '') errors.push(required('spec.scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced') errors.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  append(errors, versionsErrors(versions ?? []));
  if (spec.preserveUnknownFields === true)
    errors.push(
      invalid(
        'spec.preserveUnknownFields',
        true,
        'cannot set to true, set x-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    );
  for (const name of ['plural', 'singular', 'kind', 'listKind'] as const)
    if ((names?.[name] ?? '') === '') errors.push(required(`spec.names.${name}`));
  append(errors, nameErrors(names ?? {}, 'spec.names'));
  append(errors, conversionErrors(spec));
  return errors;
}

function versionsErrors(versions: readonly DefinitionVersion[]): readonly FieldError[] {
  const errors: FieldError[] = ofEach(versions, 'spec.versions', ({ name = '' }, path) =>
    joined(`${path}.name`, name, isDns1035Label(name)),
  );
  append(errors, ofEach(versions, 'spec.versions', versionErrors));
  if (new Set(versions.map(({ name }) => name)).size < versions.length)
    errors.push(invalid('spec.versions', versions, 'must contain unique version names'));
  if (versions.filter(({ storage }) => storage).length !== 1)
    errors.push(invalid('spec.versions', versions, 'must have exactly one version marked as storage version'));
  return errors;
}

function versionErrors(version: DefinitionVersion, path: string): readonly FieldError[] {
  const { schema, deprecated, deprecationWarning: warning } = version;
  const at = `${path}.schema.openAPIV3Schema`;
  const errors: FieldError[] = [];
  if (warning !== undefined) {
    const field = `${path}.deprecationWarning`;
    if (deprecated !== true) errors.push(invalid(field, warning, 'can only be set for deprecated versions'));
    if (warning === '') errors.push(invalid(field, warning, 'cannot be empty'));
    if (warning.length > 256) errors.push(invalid(field, warning, 'cannot be longer than 256 characters'));
  }
  if (schema?.openAPIV3Schema === undefined || schema.openAPIV3Schema === null) errors.push(required(at, 'schemas are required'));
  else append(errors, schemaErrors(schema.openAPIV3Schema, at));
  append(errors, scaleErrors(version, `${path}.subresources`));
  append(errors, ofEach(version.additionalPrinterColumns, `${path}.additionalPrinterColumns`, columnErrors));
  return errors;
}

/** The errors of a schema, with paths from its root: it is judged once, however often its definition is written. */
const judged = perObject((schema: object): readonly FieldError[] => {
  const wrong = structuralErrors(schema, '');
  return wrong.length > 0 ? wrong : defaultErrors(schema, '');
});

function schemaErrors(schema: unknown, path: string): readonly FieldError[] {
  if (typeof schema !== 'object' || schema === null) return [invalid(path, schema, 'must be a schema')];
  return judged(schema).map((error) => ({ ...error, field: `${path}${error.field}` }));
}

/** A default must be valid by its own schema, and have nothing that would be pruned. */
function defaultErrors(node: Structural, path: string): readonly FieldError[] {
  const { default: value, items, properties = {}, additionalProperties: more } = node;
  const at = `${path}.default`;
  const errors: FieldError[] = [];
  if (path === '' && value !== undefined) errors.push(forbidden(at, 'must be undefined at the root'));
  if (value !== undefined) {
    for (const { type, value: found, detail } of ruleErrors(value, node, ''))
      errors.push({ type, field: at, value: found, detail: detail.trim() });
    const { default: _, ...rest } = node;
    if (errors.length === 0 && !sameValue(storedForm(value, withoutDefaults(rest)), value))
      errors.push(invalid(at, value, 'must not have unknown fields'));
  }
  for (const [name, inner] of Object.entries(properties)) append(errors, defaultErrors(inner, `${path}.properties[${name}]`));
  if (items !== undefined) append(errors, defaultErrors(items, `${path}.items`));
  if (typeof more === 'object') append(errors, defaultErrors(more, `${path}.additionalProperties`));
  return errors;
}

function withoutDefaults({ default: _, items, properties, additionalProperties: more, ...node }: Structural): Structural {
  return {
    ...node,
    ...(items === undefined ? {} : { items: withoutDefaults(items) }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, withoutDefaults(inner)])) }),
    ...(more === undefined ? {} : { additionalProperties: typeof more === 'object' ? withoutDefaults(more) : more }),
  };
}

function scaleErrors({ subresources }: DefinitionVersion, path: string): readonly FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const errors: FieldError[] = [];
  const check = (name: string, value: string | undefined, below: readonly string[], words: string): void => {
    const field = `${path}.scale.${name}`;
    if (value === undefined || value === '') {
      if (name !== 'labelSelectorPath') errors.push(required(field));
    } else if (!/^(?:\.[A-Za-z_][\w-]*)+$/.test(value)) errors.push(invalid(field, value, 'should be a simple json path with only fields'));
    else if (!below.some((each) => value.startsWith(`${each}.`))) errors.push(invalid(field, value, words));
  };
  check('specReplicasPath', specReplicasPath, ['.spec'], 'should be a json path under .spec');
  check('statusReplicasPath', statusReplicasPath, ['.status'], 'should be a json path under .status');
  check('labelSelectorPath', labelSelectorPath, ['.spec', '.status'], 'should be a json path under either .spec or .status');
  return errors;
}

const FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'name', 'password'];

function columnErrors(
  { name = '', type = '', format = '', jsonPath = '' }: NonNullable<DefinitionVersion['additionalPrinterColumns']>[number],
  path: string,
): readonly FieldError[] {
  const types = [...COLUMN_TYPES].sort(compareText).join(',');
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`));
  if (type === '') errors.push(required(`${path}.type`, `must be one of ${types}`));
  else if (!COLUMN_TYPES.some((each) => each === type)) errors.push(invalid(`${path}.type`, type, `must be one of ${types}`));
  if (format !== '' && !FORMATS.includes(format)) errors.push(invalid(`${path}.format`, format, `must be one of ${FORMATS.join(',')}`));
  if (jsonPath === '') errors.push(required(`${path}.jsonPath`));
  else if (pathSteps(jsonPath) === undefined)
    errors.push(
      invalid(
        `${path}.jsonPath`,
        jsonPath,
        'is an invalid path: expected one such as .spec.size, .status.parts[0].name or .status.conditions[?(@.type=="Ready")].status',
      ),
    );
  return errors;
}

function nameErrors(names: DefinitionNames, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['plural', 'singular'] as const)
    if ((names[name] ?? '') !== '') append(errors, joined(`${path}.${name}`, names[name] ?? '', isDns1035Label(names[name] ?? '')));
  for (const name of ['kind', 'listKind'] as const) {
    const value = names[name] ?? '';
    if (value !== '')
      append(
        errors,
        joined(`${path}.${name}`, value, isDns1035Label(value.toLowerCase()), 'may have mixed case, but should otherwise match: '),
      );
  }
  const labels = (list: 'shortNames' | 'categories'): FieldError[] =>
    ofEach(names[list], `${path}.${list}`, (name, at) => joined(at, name, isDns1035Label(name)));
  append(errors, labels('shortNames'));
  if ((names.kind ?? '') !== '' && names.kind === names.listKind)
    errors.push(invalid(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'));
  return [...errors, ...labels('categories')];
}

function conversionErrors({ conversion }: Spec): readonly FieldError[] {
  const { strategy = '', webhook } = conversion ?? {};
  const path = 'spec.conversion';
  const errors: FieldError[] = [];
  if (strategy === '') errors.push(required(`${path}.strategy`));
  else if (strategy !== 'None' && strategy !== 'Webhook') errors.push(notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']));
  if (strategy !== 'Webhook') {
    if (webhook?.clientConfig !== undefined)
      errors.push(forbidden(`${path}.webhookClientConfig`, 'should not be set when strategy is not set to Webhook'));
    if ((webhook?.conversionReviewVersions ?? []).length > 0)
      errors.push(forbidden(`${path}.conversionReviewVersions`, 'should not be set when strategy is not set to Webhook'));
    return errors;
  }
  const config = webhook?.clientConfig;
  const at = `${path}.webhookClientConfig`;
  append(errors, config === undefined ? [required(at, 'required when strategy is set to Webhook')] : webhookClientErrors(config, at));
  const versions = webhook?.conversionReviewVersions ?? [];
  if (versions.length === 0) errors.push(required(`${path}.conversionReviewVersions`));
  else if (!versions.some((version) => version === 'v1' || version === 'v1beta1'))
    errors.push(invalid(`${path}.conversionReviewVersions`, versions, 'must include at least one of v1, v1beta1'));
  return errors;
}

const unchanged = (field: string, value: unknown, old: unknown): readonly FieldError[] =>
  value === old ? [] : [invalid(field, value, 'field is immutable')];

export function updateErrors(object: CustomResourceDefinition, old: CustomResourceDefinition, context: KindContext): readonly FieldError[] {
  const { spec } = object;
  return [
    ...validateMetaUpdate(object, old, context, false),
    ...metadataErrors(object, context),
    ...specErrors(object),
    ...(isEstablished(old)
      ? [...unchanged('spec.scope', spec.scope, old.spec.scope), ...unchanged('spec.names.kind', spec.names?.kind, old.spec.names?.kind)]
      : []),
    ...unchanged('spec.group', spec.group, old.spec.group),
    ...unchanged('spec.names.plural', spec.names?.plural, old.spec.names?.plural),
    ...storedVersionErrors(object),
  ];
}

/** A version in which objects are stored cannot be removed. */
export function storedVersionErrors({ spec, status }: CustomResourceDefinition): readonly FieldError[] {
  const known = new Set((spec.versions ?? []).map(({ name }) => name));
  const errors: FieldError[] = ofEach(status.storedVersions, 'status.storedVersions', (version, path) =>
    known.has(version) ? [] : [invalid(path, version, 'must appear in spec.versions')],
  );
  const storage = (spec.versions ?? []).find((version) => version.storage)?.name;
  if (storage !== undefined && !(status.storedVersions ?? []).includes(storage))
    errors.push(invalid('status.storedVersions', status.storedVersions ?? [], `must have the storage version ${storage}`));
  return errors;
}
