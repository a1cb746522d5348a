/** ResourceQuota: how much a namespace may use. Models: v1.24 core/v1 ResourceQuota, pkg/registry/core/resourcequota. */
import { always, list, obj, req, str, type Infer } from '../../schema/index.ts';
import { nameColumn, ageColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import { resourceList } from '../shapes/claims.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { keepSpec, keepStatus } from '../strategy.ts';
import { invalid, notSupported } from '../validation/field-errors.ts';
import { immutableText, subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import { validateAmount, validateResourceName } from '../validation/resources.ts';
import { sameValue } from '../validation/same-value.ts';

const scopeSelector = obj('ScopeSelector', {
  matchExpressions: list(obj('ScopedResourceSelectorRequirement', { scopeName: req(str('ResourceQuotaScope')), operator: req(str('ScopeSelectorOperator')), values: list(str()) })),
}, { mapType: 'atomic' });

export const resourceQuotaSchema = obj('ResourceQuota', {
  ...typeMeta,
  spec: always(obj('ResourceQuotaSpec', { hard: resourceList, scopes: list(str('ResourceQuotaScope')), scopeSelector })),
  status: always(obj('ResourceQuotaStatus', { hard: resourceList, used: resourceList })),
});
export type ResourceQuota = ObjectOf<'ResourceQuota', Infer<typeof resourceQuotaSchema>>;

const SCOPES = ['BestEffort', 'CrossNamespacePodAffinity', 'NotBestEffort', 'NotTerminating', 'PriorityClass', 'Terminating'];

/** Counts of kinds (`count/jobs.batch`) and of storage by class are names of resources here. */
const nameErrors = (name: string, field: string): FieldError[] => (name.startsWith('count/') || name.includes('.storageclass.') ? [] : validateResourceName(name, field));

function specErrors({ spec }: ResourceQuota): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, amount] of Object.entries(spec.hard ?? {})) errors.push(...nameErrors(name, `spec.hard[${name}]`), ...validateAmount(name, amount, `spec.hard[${name}]`));
  for (const scope of spec.scopes ?? []) if (!SCOPES.includes(scope)) errors.push(invalid('spec.scopes', spec.scopes, `unsupported scope`));
  for (const [at, { scopeName }] of (spec.scopeSelector?.matchExpressions ?? []).entries()) if (!SCOPES.includes(scopeName)) errors.push(notSupported(`spec.scopeSelector.matchExpressions[${at}].scopeName`, scopeName, SCOPES));
  return errors;
}

function usage({ spec, status }: ResourceQuota, limits: boolean): string {
  const hard = status.hard ?? spec.hard ?? {};
  return Object.keys(hard).filter((name) => name.startsWith('limits.') === limits).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map((name) => `${name}: ${status.used?.[name] ?? '0'}/${hard[name] ?? '0'}`).join(', ');
}

export const resourceQuota = defineKind<ResourceQuota>({
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema: resourceQuotaSchema,
  subresources: ['status'],
  deleteReturns: 'object',
  prepareForCreate(draft) {
    draft['status'] = {};
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  validateName: subdomainName,
  validate: (object, context: KindContext) => [...validateMeta(object, true, subdomainName, context), ...specErrors(object)],
  validateUpdate: (object, old, context) => [
    ...validateMetaUpdate(object, old, context),
    ...specErrors(object),
    ...(sameValue(object.spec.scopes ?? [], old.spec.scopes ?? []) ? [] : [invalid('spec.scopes', object.spec.scopes, immutableText)]),
  ],
  columns: [
    nameColumn,
    ageColumn,
    { name: 'Request', type: 'string', description: 'Used and allowed, of requests and counts.', priority: 0, cell: (object) => usage(object, false) },
    { name: 'Limit', type: 'string', description: 'Used and allowed, of limits.', priority: 0, cell: (object) => usage(object, true) },
  ],
  models: 'Shape complete; scopes are checked for their names only. Upstream: pkg/registry/core/resourcequota.',
});
