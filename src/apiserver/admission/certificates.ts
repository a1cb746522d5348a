/**
 * CertificateSigningRequests: who makes one is noted, and who may approve and sign for a signer. Models: v1.24
 * plugin/pkg/admission/certificates (approval, signing, subjectrestriction), pkg/registry/certificates/certificates strategy.go.
 */
import { decideAccess, PRIVILEGED } from '../access/index.ts';
import { type CertificateSigningRequest, isOf, parseRequest } from '../kinds/index.ts';
import { assign, castDraft, type Draft } from '../machinery/index.ts';
import { forbidden, type Resource, type User } from '../request/index.ts';
import type { AdmissionPlugin, Scope } from './plugin.ts';

const KINDS = ['CertificateSigningRequest'];
const CLIENT = 'kubernetes.io/kube-apiserver-client';
/** Requests of the cluster and of scenarios have no user. */
const ADMINISTRATOR: User = { name: 'system:admin', groups: ['system:masters', 'system:authenticated'] };

/** Sets the user of a new request, whatever it says itself. */
export const certificateRequester: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  verbs: ['create'],
  kinds: KINDS,
  mutate(_scope, { request: { user = ADMINISTRATOR } }, draft) {
    const { spec } = draft as Draft<CertificateSigningRequest>;
    const { name, uid, groups, extra } = user;
    assign(spec, 'username', name);
    assign(spec, 'uid', uid);
    assign(spec, 'groups', groups.length === 0 ? undefined : [...groups]);
    assign(spec, 'extra', extra === undefined || Object.keys(extra).length === 0 ? undefined : castDraft(extra));
  },
  validate(_scope, { resource, name }, object) {
    if (!isOf('CertificateSigningRequest', object) || object.spec.signerName !== CLIENT) return;
    const parsed = parseRequest(object.spec.request);
    if ('request' in parsed && parsed.request.organizations.includes(PRIVILEGED))
      throw forbidden(resource, name, `use of ${CLIENT} signer with ${PRIVILEGED} group is not allowed`);
  },
};

/** Only those who may sign for its signer set the certificate of a request. */
export const certificateSigning: AdmissionPlugin = {
  name: 'CertificateSigning',
  verbs: ['update'],
  kinds: KINDS,
  subresources: true,
  validate(scope, { resource, name, request, subresource }, object, old) {
    if (subresource !== 'status' || !isOf('CertificateSigningRequest', object) || !isOf('CertificateSigningRequest', old)) return;
    const failed = (of: CertificateSigningRequest) => of.status.conditions?.some(({ type }) => type === 'Failed') === true;
    if (object.status.certificate !== old.status.certificate || failed(object) !== failed(old))
      demandSigner(scope, resource, name, request.user, 'sign', old.spec.signerName);
  },
};

/** Throws the refusal of a user who may not approve or sign for a signer, by its name or by its domain. */
export function demandSigner(
  scope: Scope,
  resource: Resource,
  name: string,
  user: User | undefined,
  verb: 'approve' | 'sign',
  signerName: string,
): void {
  if (user === undefined || user.groups.includes(PRIVILEGED)) return;
  const [domain = ''] = signerName.split('/');
  const may = (signer: string): boolean =>
    decideAccess(scope.store, scope.names, { user, verb, group: resource.group, resource: 'signers', name: signer, namespace: '' }).allowed;
  if (!may(signerName) && !may(`${domain}/*`))
    throw forbidden(resource, name, `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`);
}
