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
});
