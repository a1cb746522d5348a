/** What the signers of a cluster sign. Models: v1.24 pkg/apis/certificates helpers.go, pkg/controller/certificates/signer. */
import type { CertificateRequest, CertificateSigningRequest } from '../../../apiserver/kinds/index.ts';

const CLIENT_USAGES = ['key encipherment', 'digital signature', 'client auth'];
const SERVER_USAGES = ['key encipherment', 'digital signature', 'server auth'];
const [MAIL, DNS, URI, IP] = [1, 2, 6, 7];

export const AGENT_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';

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
export const isOurs = ({ spec }: CertificateSigningRequest): boolean => Object.hasOwn(SIGNERS, spec.signerName);

export const refusalOf = (
  { spec: { signerName, usages = [] } }: CertificateSigningRequest,
  request: CertificateRequest,
): string | undefined => SIGNERS[signerName]?.(request, usages);

export const isDecided = ({ status: { conditions = [] } }: CertificateSigningRequest, type: 'Approved' | 'Denied' | 'Failed'): boolean =>
  conditions.some((each) => each.type === type);
