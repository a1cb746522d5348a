/** APIService: who serves a group and version. Models: v1.24 apiregistration/v1 APIService, kube-aggregator pkg/registry/apiservice. */
import { always, bool, bytes, def, int32, mapList, obj, ptr, req, str, time, type Infer } from '../../schema/index.ts';
import { formatTime, isDns1035Label, isDns1123Subdomain, isValidPathSegmentName, isValidPortNumber } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind, readDraft } from '../define-kind.ts';
import type { KindContext } from '../kind.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { keepSpecAndMeta, keepStatus } from '../strategy.ts';
import { invalid, notSupported, required } from '../validation/field-errors.ts';
import { validateMeta, validateMetaUpdate, type NameRule } from '../validation/object-meta.ts';

const apiServiceCondition = obj('APIServiceCondition', { type: req(str('APIServiceConditionType')), status: req(str('ConditionStatus')), lastTransitionTime: always(time), reason: str(), message: str() });

export const apiServiceSchema = obj('APIService', {
  ...typeMeta,
  spec: always(obj('APIServiceSpec', {
    service: obj('ServiceReference', { namespace: str(), name: str(), port: def(ptr(int32), 443) }),
    group: str(),
    version: str(),
    insecureSkipTLSVerify: bool,
    caBundle: { ...bytes, listType: 'atomic' } as typeof bytes,
    groupPriorityMinimum: req(int32),
    versionPriority: req(int32),
  })),
  status: always(obj('APIServiceStatus', { conditions: mapList(apiServiceCondition, 'type') })),
});
export type APIService = ObjectOf<'APIService', Infer<typeof apiServiceSchema>>;

const STATES = ['True', 'False', 'Unknown'];
const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;

/** The name is that of what is served. */
const nameRule = ({ spec: { version = '', group = '' } }: APIService): NameRule => (name) => {
  const problems = isValidPathSegmentName(name);
  return problems.length > 0 || name === `${version}.${group}` ? problems : [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(`${version}.${group}`)}`];
};

function specErrors({ spec }: APIService): FieldError[] {
  const { group = '', version = '', service, caBundle = '', insecureSkipTLSVerify } = spec;
  const errors: FieldError[] = [];
  if (group === '' && version !== 'v1') errors.push(required('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  if (group !== '') errors.push(...isDns1123Subdomain(group).map((problem) => invalid('spec.group', group, problem)));
  errors.push(...isDns1035Label(version).map((problem) => invalid('spec.version', version, problem)));
  if (spec.groupPriorityMinimum <= 0 || spec.groupPriorityMinimum > MAX_GROUP_PRIORITY) errors.push(invalid('spec.groupPriorityMinimum', spec.groupPriorityMinimum, `must be positive and less than ${MAX_GROUP_PRIORITY}`));
  if (spec.versionPriority <= 0 || spec.versionPriority > MAX_VERSION_PRIORITY) errors.push(invalid('spec.versionPriority', spec.versionPriority, `must be positive and less than ${MAX_VERSION_PRIORITY}`));
  if (service === undefined) {
    if (caBundle !== '') errors.push(invalid('spec.caBundle', `${byteCount(caBundle)} bytes`, 'local APIServices may not have a caBundle'));
    if (insecureSkipTLSVerify === true) errors.push(invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify'));
    return errors;
  }
  if ((service.namespace ?? '') === '') errors.push(required('spec.service.namespace'));
  if ((service.name ?? '') === '') errors.push(required('spec.service.name'));
  const port = service.port ?? 443;
  const problems = isValidPortNumber(port);
  if (problems.length > 0) errors.push(invalid('spec.service.port', port, `port is not valid: ${problems.join(', ')}`));
  if (insecureSkipTLSVerify === true && caBundle !== '') errors.push(invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present'));
  return errors;
}

const byteCount = (base64: string): number => (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

function fieldErrors(apiService: APIService, context: KindContext): FieldError[] {
  return [...validateMeta(apiService, false, nameRule(apiService), context, 'metadata', false), ...specErrors(apiService)];
}

const available = (apiService: APIService): string => {
  const found = (apiService.status.conditions ?? []).find(({ type }) => type === 'Available');
  if (found === undefined) return 'Unknown';
  return found.status === 'True' || found.reason === undefined ? found.status : `${found.status} (${found.reason})`;
};

export const apiService = defineKind<APIService>({
  kind: 'APIService',
  plural: 'apiservices',
  categories: ['api-extensions'],
  groupPrefix: 'apiregistration',
  version: 'v1',
  namespaced: false,
  schema: apiServiceSchema,
  subresources: ['status'],
  allowUnconditionalUpdate: false,
  prepareForCreate(draft, { now }) {
    const local = readDraft<APIService>(draft).spec.service === undefined;
    // What is served here is there at once.
    draft['status'] = local ? { conditions: [{ type: 'Available', status: 'True', lastTransitionTime: formatTime(now), reason: 'Local', message: 'Local APIServices are always available' }] } : {};
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpecAndMeta,
  validate: fieldErrors,
  validateUpdate: (object, old, context) => [...validateMetaUpdate(object, old, context, 'metadata', false), ...fieldErrors(object, context)],
  validateStatusUpdate: (object, old, context) => [
    ...validateMetaUpdate(object, old, context, 'metadata', false),
    ...(object.status.conditions ?? []).flatMap(({ status }, at) => (STATES.includes(status) ? [] : [notSupported(`status.conditions[${at}].status`, status, STATES)])),
  ],
  columns: [
    nameColumn,
    { name: 'Service', type: 'string', description: 'Service that answers, or Local.', priority: 0, cell: (object) => { const { service } = object.spec; return service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`; } },
    { name: 'Available', type: 'string', description: 'Whether the service answers.', priority: 0, cell: (object) => available(object) },
    ageColumn,
  ],
  models: 'Complete; nothing is proxied, so remote services never become available. Upstream: kube-aggregator pkg/registry/apiservice, pkg/apis/apiregistration/validation.',
});
