/**
 * Controllers of CertificateSigningRequests: one approves those of node agents, one signs what is approved, one removes old ones. Models:
 * v1.24 pkg/controller/certificates (approver, signer, cleaner), pkg/apis/certificates helpers.go.
 */
import { parseRequest } from '../../../apiserver/kinds/index.ts';
import type { CertificateRequest, CertificateSigningRequest, KindRegistry } from '../../../apiserver/kinds/index.ts';
import { formatTime, parseTime } from '../../../schema/values/index.ts';
import { defineController, idle, remove, write, writeStatus } from '../../runtime/index.ts';
import type { ControllerOptions } from '../options.ts';
import { STAND_IN, issue } from './issue.ts';

const CLIENT_USAGES = ['key encipherment', 'digital signature', 'client auth'];
const SERVER_USAGES = ['key encipherment', 'digital signature', 'server auth'];
const [MAIL, DNS, URI, IP] = [1, 2, 6, 7];

const AGENT_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';

const among = (usages: readonly string[], all: readonly string[]): string | undefined => {
  const other = usages.find((usage) => !all.includes(usage));
  return other === undefined ? undefined : `the usage ${JSON.stringify(other)} is not allowed, only ${all.join(', ')}`;
};
const lacks = (usages: readonly string[], ...wanted: readonly string[]): string | undefined => {
  const missing = wanted.find((usage) => !usages.includes(usage));
  return missing === undefined ? undefined : `the usage ${JSON.stringify(missing)} is missing`;
};

function ofAgent({ organizations, commonName }: CertificateRequest): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== 'system:nodes') return 'subject organization is not system:nodes';
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

type Refusing = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** Why a signer does not sign a request, by its name; undefined: it does. */
const SIGNERS: Readonly<Record<string, Refusing>> = {
  'kubernetes.io/kube-apiserver-client': (_, usages) => lacks(usages, 'client auth') ?? among(usages, CLIENT_USAGES),
  [AGENT_CLIENT]: (request, usages) =>
    ofAgent(request) ??
    (request.namesByType.size > 0 ? 'subject alternative names are not allowed' : undefined) ??
    lacks(usages, 'digital signature', 'client auth') ??
    among(usages, CLIENT_USAGES),
  'kubernetes.io/kubelet-serving'(request, usages) {
    const { namesByType } = request;
    if (namesByType.has(MAIL) || namesByType.has(URI)) return 'Email and URI subject alternative names are not allowed';
    if (!namesByType.has(DNS) && !namesByType.has(IP)) return 'at least one DNS or IP subject alternative name is required';
    return ofAgent(request) ?? lacks(usages, 'digital signature', 'server auth') ?? among(usages, SERVER_USAGES);
  },
};

/** Whether the controller manager signs for a signer. */
const isOurs = ({ spec }: CertificateSigningRequest): boolean => Object.hasOwn(SIGNERS, spec.signerName);

const refusalOf = ({ spec: { signerName, usages = [] } }: CertificateSigningRequest, request: CertificateRequest): string | undefined =>
  SIGNERS[signerName]?.(request, usages);

const isDecided = ({ status: { conditions = [] } }: CertificateSigningRequest, type: 'Approved' | 'Denied' | 'Failed'): boolean =>
  conditions.some((each) => each.type === type);

const YEAR_SECONDS = 365 * 86_400;
/** Certificates are valid from a while ago, for clients with a slow clock. */
const BACKDATED_MS = 300_000;
const HOUR_MS = 3_600_000;
const PENDING_MS = 24 * HOUR_MS;

type Conditions = NonNullable<CertificateSigningRequest['status']['conditions']>;

const withCondition = (self: CertificateSigningRequest, type: string, reason: string, message: string, now: number): Conditions => {
  const at = formatTime(now);
  const made = { type, status: 'True', reason, message, lastUpdateTime: at, lastTransitionTime: at };
  return [...(self.status.conditions ?? []), made];
};

export const certificateSigner = (_kinds: KindRegistry, { certificateAuthority: authority = STAND_IN }: ControllerOptions) =>
  defineController({
    name: 'certificate-signer',
    component: 'certificate-controller',
    reconciles: 'CertificateSigningRequest',
    writes: ['CertificateSigningRequest'],
    models:
      'Signs for kubernetes.io/kube-apiserver-client, kube-apiserver-client-kubelet and kubelet-serving. A served cluster with TLS signs with the authority of its server; elsewhere the signature is a stand-in. Upstream: pkg/controller/certificates/signer.',
    reconcile({ self, now }) {
      if (!isDecided(self, 'Approved') || isDecided(self, 'Denied')) return idle('it is not approved');
      if ((self.status.certificate ?? '') !== '') return idle('its certificate is issued');
      if (isDecided(self, 'Failed')) return idle('it has failed');
      if (!isOurs(self)) return idle(`${self.spec.signerName} is another signer`);
      const parsed = parseRequest(self.spec.request);
      const isGenuine = !('request' in parsed) || authority.verify?.(parsed.request) !== false;
      const problem =
        'problem' in parsed ? parsed.problem : isGenuine ? refusalOf(self, parsed.request) : 'its signature is not that of its key';
      if (problem !== undefined || !('request' in parsed))
        return write(
          `it cannot be signed: ${problem ?? ''}`,
          writeStatus(self, {
            ...self.status,
            conditions: withCondition(self, 'Failed', 'SignerValidationFailure', problem ?? '', now),
          }),
        );
      const { usages = [], expirationSeconds = YEAR_SECONDS } = self.spec;
      const present = authority.now?.() ?? now;
      const until = present + Math.min(expirationSeconds, YEAR_SECONDS) * 1000;
      const { uid } = self.metadata;
      const certificate = issue({ request: parsed.request, usages, uid, from: present - BACKDATED_MS, until }, authority);
      return write('it is approved', writeStatus(self, { ...self.status, certificate }));
    },
  });

/** Approves requests of node agents: their first one as bootstrappers, and renewals as themselves. */
export const certificateApprover = defineController({
  name: 'certificate-approver',
  component: 'certificate-controller',
  reconciles: 'CertificateSigningRequest',
  writes: ['CertificateSigningRequest'],
  models:
    'Approves client certificates of node agents, by the bindings that installers create: for system:bootstrappers, and for renewals by system:nodes. Upstream: pkg/controller/certificates/approver.',
  reconcile({ self, now }) {
    if (isDecided(self, 'Approved') || isDecided(self, 'Denied')) return idle('it is decided');
    const { signerName, username = '', groups = [], request } = self.spec;
    if (signerName !== AGENT_CLIENT) return idle('users decide about it');
    const parsed = parseRequest(request);
    if (!('request' in parsed) || refusalOf(self, parsed.request) !== undefined) return idle('it is not that of a node agent');
    const isRenewal = username === parsed.request.commonName && groups.includes('system:nodes');
    if (!isRenewal && !groups.includes('system:bootstrappers')) return idle(`${username} may not have it without a decision`);
    const message = `Auto approving ${isRenewal ? 'self kubelet' : 'kubelet'} client certificate after SubjectAccessReview.`;
    const conditions = withCondition(self, 'Approved', 'AutoApproved', message, now);
    return write(message, { op: 'update', subresource: 'approval', object: { ...self, status: { ...self.status, conditions } } });
  },
});

export const certificateCleaner = defineController({
  name: 'certificate-cleaner',
  component: 'certificate-controller',
  reconciles: 'CertificateSigningRequest',
  writes: ['CertificateSigningRequest'],
  models:
    'Removes requests an hour after they are issued, denied or failed, and those that are not decided within a day. Upstream: pkg/controller/certificates/cleaner.',
  reconcile({ self, now }) {
    const { status, metadata } = self;
    const decided = (status.conditions ?? []).find(({ type }) => type === 'Approved' || type === 'Denied' || type === 'Failed');
    const isDone = (status.certificate ?? '') !== '' || isDecided(self, 'Denied') || isDecided(self, 'Failed');
    const since = parseTime((isDone ? decided?.lastUpdateTime : null) ?? metadata.creationTimestamp ?? formatTime(now));
    const at = since + (isDone ? HOUR_MS : PENDING_MS);
    const why = isDone ? 'it is kept for an hour' : 'it may still be decided';
    if (now < at) return { why, writes: [], wakeAt: at, background: true };
    return write(isDone ? 'it was decided an hour ago' : 'it was not decided within a day', remove(self));
  },
});
