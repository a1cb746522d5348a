/** CertificateSigningRequest: a request for a certificate. Models: v1.24 certificates/v1, pkg/registry/certificates/certificates. */
import { formatTime } from '../../../schema/values/index.ts';
import { assign, castDraft, defineKind, type Draft, humanDuration, keepSpecAndMeta } from '../../machinery/index.ts';
import type { ApiObject, KindContext } from '../../objects/index.ts';
import { validateMeta } from '../../validation/index.ts';
import {
  certificateErrors,
  changedStatusErrors,
  conditionsErrors,
  durationErrors,
  requestErrors,
  signerNameErrors,
  usageErrors,
} from './rules.ts';
import { type CertificateSigningRequest, csrSchema } from './shape.ts';

export type { CertificateSigningRequest } from './shape.ts';
export { type CertificateRequest, parseRequest } from './request.ts';
export { changedStatusErrors, conditionsErrors } from './rules.ts';

type Conditions = NonNullable<CertificateSigningRequest['status']['conditions']>;

/** The conditions of a change, with times: of those that are new or different. Models: populateConditionTimestamps. */
export function timedConditions(given: Conditions | undefined, before: Conditions | undefined, now: number): Conditions | undefined {
  const at = formatTime(now);
  return given?.map((each) => {
    const old = before?.find(({ type }) => type === each.type);
    const lastUpdateTime = each.lastUpdateTime ?? at;
    const lastTransitionTime = each.lastTransitionTime ?? (old?.status === each.status ? old.lastTransitionTime : null) ?? at;
    return { ...each, lastUpdateTime, lastTransitionTime };
  });
}

const keepAll = (draft: Draft<CertificateSigningRequest>, old: CertificateSigningRequest): void => {
  assign(draft, 'spec', castDraft(old.spec));
  assign(draft, 'status', castDraft(old.status));
};

const stateOf = ({ status: { conditions = [], certificate = '' } }: CertificateSigningRequest): string => {
  const is = (type: string): boolean => conditions.some((each) => each.type === type);
  const decided = is('Denied') ? 'Denied' : is('Approved') ? 'Approved' : 'Pending';
  return `${decided}${is('Failed') ? ',Failed' : ''}${certificate === '' ? '' : ',Issued'}`;
};

const CREATED = [
  (object: ApiObject, context: KindContext) => validateMeta(object, false, () => [], context, 'metadata', false),
  requestErrors,
  usageErrors,
  signerNameErrors,
  durationErrors,
  conditionsErrors,
  certificateErrors,
] as const;

const REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIcE1JR1BBZ0VBTUMweEVUQVBCZ05WQkFvTUNIUmxZVzB0ZDJWaU1SZ3dGZ1lEVlFRRERBOXZjbU5vYzJsdApMV1Y0WVcxd2JHVXdXVEFUQmdjcWhrak9QUUlCQmdncWhrak9QUU1CQndOQ0FBUUI5ZjZYMWh2UUFMZ3lkT1pZCkRUaDhpbThhTjhncTNwTU5uVDZFTXVxS0x5Q2hhSm5Hd0hGT0NmcWV1bTJHRXU5bnRPZm5DVzUyMWJYbm5aZjMKWmxBdW9BQXdDZ1lJS29aSXpqMEVBd0lEU1FBd1JnSWhBSW41QjNhRWdTN2NTemlHMTdYbDBVOTBVZ05qSHJJMApQNlVHOFVaOWFJYVRBaUVBd2xGK0hCclFLa2d6OE9oenE4QmdMUmh4MVFiemZ0OHhUUEQvOFFHZkl1Yz0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==';

export const certificateSigningRequest = defineKind<CertificateSigningRequest>({
  shortNames: ['csr'],
  groupPrefix: 'certificates',
  namespaced: false,
  schema: csrSchema,
  subresources: ['approval', 'status'],
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate: keepAll,
  prepareForStatusUpdate(draft, old, { now }) {
    keepSpecAndMeta(draft, old);
    const conditions = timedConditions(draft.status.conditions, old.status.conditions, now);
    if (conditions !== undefined) draft.status.conditions = castDraft(conditions);
  },
  anyFinalizers: true,
  create: CREATED,
  update: ['changed metadata', ...CREATED],
  updateStatus: [...CREATED, 'changed metadata', (object, _context, old) => changedStatusErrors(object, old, false)],
  fieldSelectors: { 'spec.signerName': ({ spec }) => spec.signerName },
  columns: [
    'Name',
    'Age',
    ['SignerName', 'string', 'Who shall sign.', ({ spec }) => spec.signerName],
    ['Requestor', 'string', 'Who made the request.', ({ spec }) => spec.username ?? ''],
    [
      'RequestedDuration',
      'string',
      'How long the certificate should be valid.',
      ({ spec: { expirationSeconds } }) => (expirationSeconds === undefined ? '<none>' : humanDuration(expirationSeconds * 1000)),
    ],
    ['Condition', 'string', 'The decision, and whether a certificate is issued.', stateOf],
  ],
  models:
    'Complete, except that the signature of a request is checked by its signer, not when it is created. Upstream: pkg/registry/certificates, pkg/apis/certificates/validation.',
  example: { spec: { request: REQUEST, signerName: 'example.com/signer', usages: ['client auth'] } },
});
