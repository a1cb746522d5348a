/** APIService: the server of a group and version. Models: v1.24 apiregistration/v1 APIService, kube-aggregator pkg/registry/apiservice. */
import { bool, bytes, def, field, type Infer, int32, mapList, obj, ptr, req, str } from '../../schema/shape/index.ts';
import { append, byteLengthOfBase64, isBase64, isValidPathSegmentName, isValidPortNumber, pemBlocks } from '../../schema/values/index.ts';
import { castDraft, defineKind, keepSpecAndMeta, keepStatus } from '../machinery/index.ts';
import { type Condition, type FieldError, type KindContext, namespacedName } from '../objects/index.ts';
import { conditionReason, conditionType, kindFields, type ObjectOf } from '../structs/index.ts';
import {
  conditionErrors,
  facetErrors,
  invalid,
  oneConditionOfAType,
  reasonErrors,
  required,
  validateMeta,
  withCondition,
} from '../validation/index.ts';
import type { NameRule } from '../validation/index.ts';
import type { Endpoints } from './endpoints.ts';
import type { Service } from './service/shape.ts';

const { type, status } = conditionType('Available', 'APIServiceConditionType');
const apiServiceCondition = obj('APIServiceCondition', 'Whether the server responds.', {
  type,
  status: { ...status, among: ['True', 'False', 'Unknown'] } as typeof status,
  ...conditionReason(3),
});

const priority = (max: number) => ({ min: 1, max, words: `must be positive and less than ${max}` });

const apiServiceSchema = obj(
  'APIService',
  'The server of one version of one API group; named VERSION.GROUP.',
  kindFields({
    spec: obj('APIServiceSpec', 'The server, and the preference of its group and version.', {
      service: field(
        1,
        'The server; absent: this API server itself.',
        obj('ServiceReference', 'A server behind a service.', {
          namespace: field(1, 'The namespace of the service.', str(), { needed: true }),
          name: field(2, 'Its name.', str(), { needed: true }),
          port: field(3, 'Its port.', def(ptr(int32), 443)),
        }),
      ),
      group: field(2, 'The group.', str(), { format: 'subdomain' }),
      version: field(3, 'The version.', str(), { zero: true, format: 'label-1035' }),
      insecureSkipTLSVerify: field(4, 'Whether its certificate is not verified; caBundle is the safe alternative.', bool),
      caBundle: field(5, 'The bundle that verifies its certificate; absent: the system roots.', {
        ...bytes,
        listType: 'atomic',
      } as typeof bytes),
      groupPriorityMinimum: field(
        7,
        'Groups with a higher value are preferred; equal ones are ordered by name.',
        req(int32),
        priority(20_000),
      ),
      versionPriority: field(
        8,
        'Versions with a higher value are preferred; equal ones are ordered by maturity and number: v2, v1, v1beta1, v1alpha1.',
        req(int32),
        priority(1000),
      ),
    }),
    status: obj('APIServiceStatus', 'The observed state of the server.', {
      conditions: field(1, 'Whether it is available.', mapList(apiServiceCondition, 'type')),
    }),
  }),
);
/** A stored APIService: defaulted, validated and frozen. */
export type APIService = ObjectOf<'APIService', Infer<typeof apiServiceSchema>>;

/** The name must be that of the served group and version. */
const nameRule =
  ({ spec: { version = '', group = '' } }: APIService): NameRule =>
  (name) => {
    const problems = isValidPathSegmentName(name);
    return problems.length > 0 || name === `${version}.${group}`
      ? problems
      : [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(`${version}.${group}`)}`];
  };

function serverErrors({ spec }: APIService): FieldError[] {
  const { service, caBundle = '', insecureSkipTLSVerify } = spec;
  const errors: FieldError[] = [];
  const refuseInsecure = (why: string): unknown => errors.push(invalid('spec.insecureSkipTLSVerify', true, why));
  if (service === undefined) {
    if (caBundle !== '')
      errors.push(invalid('spec.caBundle', `${byteLengthOfBase64(caBundle)} bytes`, 'local APIServices may not have a caBundle'));
    if (insecureSkipTLSVerify === true) refuseInsecure('local APIServices may not have insecureSkipTLSVerify');
    return errors;
  }
  append(errors, facetErrors(apiServiceSchema.fields.spec, spec, 'spec', 'service'));
  const port = service.port ?? 443;
  const problems = isValidPortNumber(port);
  if (problems.length > 0) errors.push(invalid('spec.service.port', port, `port is not valid: ${problems.join(', ')}`));
  if (insecureSkipTLSVerify === true && caBundle !== '') refuseInsecure('may not be true if caBundle is present');
  return errors;
}

const CREATED = [
  (object: APIService, context: KindContext) => validateMeta(object, false, nameRule(object), context, false),
  ({ spec: { group = '', version } }: APIService) =>
    group === '' && version !== 'v1' ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')] : [],
  'spec.group',
  'spec.version',
  'spec.groupPriorityMinimum',
  'spec.versionPriority',
  serverErrors,
] as const;

/** The objects that determine availability. */
interface Backing {
  service(namespace: string, name: string): Service | undefined;
  endpoints(namespace: string, name: string): Endpoints | undefined;
}

type Availability = Required<Pick<Condition, 'status' | 'reason' | 'message'>>;

const LOCAL = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' } as const;

/** Requests are not proxied here, so a service with addresses counts as responding. */
export function availabilityOf({ spec }: APIService, backing: Backing): Availability {
  const reference = spec.service;
  if (reference === undefined) return LOCAL;
  const { namespace = '', name = '', port = 443 } = reference;
  const place = `service/${name} in ${JSON.stringify(namespace)}`;
  const service = backing.service(namespace, name);
  if (service === undefined) return { status: 'False', reason: 'ServiceNotFound', message: `${place} is not present` };
  if (service.spec.type === 'ClusterIP') {
    const found = (service.spec.ports ?? []).find((each) => each.port === port);
    if (found === undefined) return { status: 'False', reason: 'ServicePortError', message: `${place} is not listening on port ${port}` };
    const endpoints = backing.endpoints(namespace, name);
    if (endpoints === undefined) return { status: 'False', reason: 'EndpointsNotFound', message: `cannot find endpoints for ${place}` };
    const reachable = (endpoints.subsets ?? []).some(
      (subset) => (subset.addresses ?? []).length > 0 && (subset.ports ?? []).some((each) => (each.name ?? '') === (found.name ?? '')),
    );
    if (!reachable)
      return {
        status: 'False',
        reason: 'MissingEndpoints',
        message: `endpoints for ${place} have no addresses with port name ${JSON.stringify(found.name ?? '')}`,
      };
  }
  return { status: 'True', reason: 'Passed', message: 'all checks passed' };
}

/** Of the groups of custom resources. Models: v1.24 pkg/controlplane/controller/crdregistration. */
export const CUSTOM_PRIORITIES = { groupPriorityMinimum: 1000, versionPriority: 100 } as const;

type Conditions = NonNullable<APIService['status']['conditions']>;

/** Returns the conditions with this availability; the same list when nothing changes. The transition time changes only with the status. */
export const withAvailability = (conditions: Conditions | undefined, found: Availability, now: number): Conditions =>
  withCondition(conditions, { type: 'Available', ...found }, now);

/** The conditions of a group that this server serves itself, as of now. */
export const localAvailability = (now: number): Conditions => withAvailability(undefined, LOCAL, now);

/** The first base64 character of a certificate: a DER sequence. */
const SEQUENCE = 'M';

/** Whether a bundle has at least one certificate, and only certificates in its blocks. */
function isPemBundle(base64: string): boolean {
  const blocks = pemBlocks(base64).filter(({ type }) => type === 'CERTIFICATE');
  return blocks.length > 0 && blocks.every(({ body }) => body.startsWith(SEQUENCE) && isBase64(body));
}

const available = (apiService: APIService): string => {
  const found = (apiService.status.conditions ?? []).find(({ type }) => type === 'Available');
  if (found === undefined) return 'Unknown';
  return found.status === 'True' || found.reason === undefined ? found.status : `${found.status} (${found.reason})`;
};

export const apiService = defineKind<APIService>({
  categories: ['api-extensions'],
  groupPrefix: 'apiregistration',
  namespaced: false,
  schema: apiServiceSchema,
  subresources: ['status'],
  allowUnconditionalUpdate: false,
  prepareForCreate(draft, { now }) {
    // A group that this server serves itself is available at once.
    draft.status = draft.spec.service === undefined ? { conditions: castDraft(localAvailability(now)) } : {};
  },
  // The aggregator is part of the server and computes availability at once; its controller handles later changes of the service.
  settle(object, lookup, { now }) {
    const found = availabilityOf(object, {
      service: (namespace, name) => lookup('Service', namespace, name) as Service | undefined,
      endpoints: (namespace, name) => lookup('Endpoints', namespace, name) as Endpoints | undefined,
    });
    const conditions = withAvailability(object.status.conditions, found, now);
    return conditions === object.status.conditions ? object : { ...object, status: { ...object.status, conditions } };
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpecAndMeta,
  anyFinalizers: true,
  create: CREATED,
  update: ['changed metadata', ...CREATED],
  updateStatus: ['changed metadata', 'status.conditions'],
  columns: [
    'Name',
    [
      'Service',
      'string',
      'Service behind it, or Local.',
      (object) => {
        const { service } = object.spec;
        return service === undefined ? 'Local' : namespacedName(service);
      },
    ],
    ['Available', 'string', 'Whether the service responds.', available],
    'Age',
  ],
  models:
    'Complete; nothing is proxied, so remote services never become available. Upstream: kube-aggregator pkg/registry/apiservice, pkg/apis/apiregistration/validation.',
  specification: [
    {
      name: 'api-service/ca-bundle-is-pem',
      field: 'spec.caBundle',
      statement: 'caBundle contains certificates in PEM format.',
      recorded: 'accepts any bytes',
      check: ({ spec: { caBundle = '' } }) =>
        caBundle === '' || isPemBundle(caBundle)
          ? []
          : [invalid('spec.caBundle', '<bytes>', 'must hold at least one certificate in PEM (-----BEGIN CERTIFICATE-----)')],
    },
    {
      name: 'api-service/condition-states',
      field: 'status.conditions[].status, .type',
      statement: 'A condition has a type, and the status True, False or Unknown.',
      recorded: 'validates the status of a condition when the status is written, and accepts conditions without a type',
      check: ({ status }) => conditionErrors(status.conditions).filter(({ type }) => type === 'Required'),
    },
    {
      name: 'api-service/condition-reasons',
      field: 'status.conditions[].reason',
      statement: 'The reason of a condition is one CamelCase word.',
      recorded: 'accepts any text',
      check: ({ status }) => reasonErrors(status.conditions),
    },
    oneConditionOfAType('api-service'),
  ],
});
