/**
 * CertificateSigningRequest: a request for a certificate. Models: v1.24 certificates/v1, pkg/registry/certificates/certificates,
 * pkg/apis/certificates/validation.
 */
import { append, bytesOfBase64, formatTime, GoText, isBase64, isDns1123Subdomain } from '../../../schema/values/index.ts';
import { pemBlocks, repeats } from '../../../schema/values/index.ts';
import { assign, castDraft, defineKind, type Draft, humanDuration, keepSpecAndMeta } from '../../machinery/index.ts';
import type { ApiObject, FieldError, KindContext } from '../../objects/index.ts';
import { duplicate, forbidden, invalid, notSupported, required, sameValue, tooLong, validateMeta } from '../../validation/index.ts';
import { parseRequest } from './request.ts';
import { type CertificateSigningRequest, csrSchema } from './shape.ts';

export type { CertificateSigningRequest } from './shape.ts';
export { type CertificateRequest, parseRequest } from './request.ts';

const USAGES: readonly string[] = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const LEGACY = 'kubernetes.io/legacy-unknown';
const LEAST_SECONDS = 600;
const MAX_PATH = 253 + 63 + 1;

/** Bytes as Go prints them. */
const printed = (base64: string | null): GoText =>
  new GoText(base64 === null ? '[]byte(nil)' : `[]byte{${[...bytesOfBase64(base64)].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`);

function requestErrors({ spec }: CertificateSigningRequest): FieldError[] {
  // A required field of bytes that was not given is null.
  const request = spec.request as string | null;
  const parsed = parseRequest(request);
  return 'request' in parsed ? [] : [invalid('spec.request', printed(request), parsed.problem)];
}

function usageErrors({ spec: { usages = [] } }: CertificateSigningRequest): FieldError[] {
  if (usages.length === 0) return [required('spec.usages')];
  const errors: FieldError[] = [];
  for (const [at, usage] of usages.entries()) if (!USAGES.includes(usage)) errors.push(notSupported(`spec.usages[${at}]`, usage, USAGES));
  const isRepeated = repeats<string>();
  for (const [at, usage] of usages.entries()) if (isRepeated(usage)) errors.push(duplicate(`spec.usages[${at}]`, usage));
  return errors;
}

/** `example.com/name`: a domain with a dot, and the path of a signer. */
function signerNameErrors({ spec: { signerName = '' } }: CertificateSigningRequest): FieldError[] {
  const field = 'spec.signerName';
  if (signerName === LEGACY) return [invalid(field, signerName, 'the legacy signerName is not allowed via this API version')];
  if (signerName === '') return [required(field)];
  const [domain = '', path = '', ...more] = signerName.split('/');
  if ((path === '' && !signerName.includes('/')) || more.length > 0)
    return [invalid(field, signerName, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  const errors: FieldError[] = [];
  const problems = (segment: string): void =>
    append(
      errors,
      isDns1123Subdomain(segment).map((problem) => invalid(field, segment, `validating label ${JSON.stringify(segment)}: ${problem}`)),
    );
  problems(domain);
  if (!domain.includes('.')) errors.push(invalid(field, domain, 'should be a domain with at least two segments separated by dots'));
  problems(path);
  if (path.length > MAX_PATH) errors.push(tooLong(field, path, MAX_PATH));
  return errors;
}

const durationErrors = ({ spec: { expirationSeconds } }: CertificateSigningRequest): FieldError[] =>
  expirationSeconds === undefined || expirationSeconds >= LEAST_SECONDS
    ? []
    : [invalid('spec.expirationSeconds', expirationSeconds, 'may not specify a duration less than 600 seconds (10 minutes)')];

const KNOWN: ReadonlySet<string> = new Set(['Approved', 'Denied', 'Failed']);

export function conditionsErrors({ status: { conditions = [] } }: CertificateSigningRequest): FieldError[] {
  const errors: FieldError[] = [];
  const isRepeated = repeats<string>();
  const has = new Set<string>();
  for (const [at, { type, status }] of conditions.entries()) {
    const field = `status.conditions[${at}]`;
    if (type === '') errors.push(required(`${field}.type`));
    const among = KNOWN.has(type) ? ['True'] : ['False', 'True', 'Unknown'];
    if (status === '') errors.push(required(`${field}.status`));
    else if (!among.includes(status)) errors.push(notSupported(`${field}.status`, status, among));
    if (isRepeated(type)) errors.push(duplicate(`${field}.type`, type));
    has.add(type);
    if ((type === 'Approved' || type === 'Denied') && has.has('Approved') && has.has('Denied'))
      errors.push(invalid(`${field}.type`, type, 'Approved and Denied conditions are mutually exclusive'));
  }
  return errors;
}

/** Blocks of certificates and nothing else; what they hold is not read. */
function certificateErrors({ status: { certificate = '' } }: CertificateSigningRequest): FieldError[] {
  if (certificate === '') return [];
  const blocks = pemBlocks(certificate);
  const wrong = (why: string): FieldError[] => [invalid('status.certificate', '<certificate data>', why)];
  const other = blocks.find(({ type }) => type !== 'CERTIFICATE');
  if (other !== undefined) return wrong(`only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(other.type)}`);
  if (blocks.some(({ body }) => !isBase64(body))) return wrong('found CERTIFICATE PEM block containing 0 certificates');
  return blocks.length === 0 ? wrong('must contain one or more CERTIFICATE PEM blocks') : [];
}

const FIELD = 'status.conditions';

/** What a change of the status or of the approval may not do; `approves`: it is one of the approval. */
export function changedStatusErrors(object: CertificateSigningRequest, old: CertificateSigningRequest, approves: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const of = ({ status: { conditions = [] } }: CertificateSigningRequest, type: string) => conditions.filter((each) => each.type === type);
  for (const type of KNOWN)
    if (of(object, type).length < of(old, type).length)
      errors.push(forbidden(FIELD, `updates may not remove a condition of type "${type}"`));
  for (const type of approves ? [] : ['Approved', 'Denied']) {
    const [now, before] = [of(object, type), of(old, type)];
    if (now.length > before.length) errors.push(forbidden(FIELD, `updates may not add a condition of type "${type}"`));
    else if (now.length === before.length && !sameValue(now, before))
      errors.push(forbidden(FIELD, `updates may not modify a condition of type "${type}"`));
  }
  const [now = '', before = ''] = [object.status.certificate, old.status.certificate];
  if (now === before) return errors;
  if (approves) errors.push(forbidden('status.certificate', 'updates may not set certificate content'));
  else if (before !== '') errors.push(forbidden('status.certificate', 'updates may not modify existing certificate content'));
  return errors;
}

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
  (object: ApiObject, context: KindContext) => validateMeta(object, false, () => [], context, false),
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
