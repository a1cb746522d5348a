/** Who makes, approves and signs certificate requests. Models: v1.24 plugin/pkg/admission/certificates. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import { type ApiRequest, envelopeOf, type User } from '../../../src/apiserver/request/index.ts';
import { base64OfBytes, base64OfText, DER, der, derBits, derOid } from '../../../src/schema/values/index.ts';
import { setup, type Setup } from './setup.ts';

const CLIENT = 'kubernetes.io/kube-apiserver-client';
const ADMIN: User = { name: 'root', groups: ['system:masters'] };
const named = (name: string, more: Partial<User> = {}): User => ({ name, groups: ['team'], ...more });

/** A request by the members of these organizations, in PEM. */
function requestOf(...organizations: readonly string[]): string {
  const text = (of: string) => der(DER.utf8, new TextEncoder().encode(of));
  const name = (oid: string, of: string) => der(DER.set, der(DER.sequence, derOid(oid), text(of)));
  const subject = der(DER.sequence, name('2.5.4.3', 'me'), ...organizations.map((each) => name('2.5.4.10', each)));
  const key = der(DER.sequence, der(DER.sequence, derOid('1.2.840.113549.1.1.1')), derBits(Uint8Array.of(1, 2)));
  const whole = der(DER.sequence, der(DER.integer, Uint8Array.of(0)), subject, key);
  const signed = der(DER.sequence, whole, der(DER.sequence, derOid('1.2.840.113549.1.1.11')), derBits(Uint8Array.of(9)));
  return base64OfText(`-----BEGIN CERTIFICATE REQUEST-----\n${base64OfBytes(signed)}\n-----END CERTIFICATE REQUEST-----\n`);
}

const creating = (spec: object, user?: User): ApiRequest => ({
  verb: 'create',
  kind: 'CertificateSigningRequest',
  body: {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'c' },
    spec: { request: requestOf(), usages: ['client auth'], signerName: CLIENT, ...spec },
  },
  ...(user === undefined ? {} : { user }),
});
const specOf = (object: ApiObject): Readonly<Record<string, unknown>> => object['spec'] as Readonly<Record<string, unknown>>;

describe('a new request', () => {
  const claimed = { username: 'other', uid: 'other', groups: ['other'], extra: { other: ['x'] } };
  it.each<[string, User | undefined, object]>([
    [
      'all that is known of them',
      named('u', { uid: '7', extra: { scopes: ['a', 'b'] } }),
      { username: 'u', uid: '7', groups: ['team'], extra: { scopes: ['a', 'b'] } },
    ],
    ['no group, uid or extra', { name: 'u', groups: [], extra: {} }, { username: 'u' }],
    ['the administrator where no user asks', undefined, { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] }],
  ])('notes who makes it: %s', (_, user, expected) => {
    const { username, uid, groups, extra } = specOf(setup().ok(creating(claimed, user)));
    expect({ username, uid, groups, extra }).toEqual({ uid: undefined, groups: undefined, extra: undefined, ...expected });
  });

  it('of a client is not for the group of administrators; of another signer it may be', () => {
    const { refused, ok } = setup();
    expect(refused(creating({ request: requestOf('a', 'system:masters') }))).toMatchObject({
      code: 403,
      message: `certificatesigningrequests.certificates.k8s.io "c" is forbidden: use of ${CLIENT} signer with system:masters group is not allowed`,
    });
    ok(creating({ request: requestOf('a', 'system:masters'), signerName: 'example.com/mine' }));
    setup().ok(creating({ request: requestOf('a', 'b') }));
  });
});

describe('a signer', () => {
  const CERTIFICATE = base64OfText(
    `-----BEGIN CERTIFICATE-----\n${base64OfBytes(der(DER.sequence, derOid('1.2.3')))}\n-----END CERTIFICATE-----\n`,
  );
  const at = { kind: 'CertificateSigningRequest', name: 'c' } as const;
  /** A world with a request, in which a user may do a verb with signers of these names. */
  function world(verb: string, ...signers: readonly string[]): Setup {
    const made = setup();
    const rbac = (kind: string, more: object) =>
      made.ok({
        verb: 'create',
        kind,
        body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind, metadata: { name: 'r' }, ...more },
      });
    rbac('ClusterRole', { rules: [{ apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: signers, verbs: [verb] }] });
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' };
    rbac('ClusterRoleBinding', { roleRef, subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' }] });
    made.ok(creating({ signerName: 'example.com/mine' }, ADMIN));
    return made;
  }
  const writing = ({ ok, server }: Setup, subresource: string, status: object, user?: User): string => {
    const object = ok({ ...at, verb: 'get' });
    const body = { ...object, status: { ...(object['status'] as object), ...status } } as ObjectInput;
    const response = server.handle(
      envelopeOf('client', { ...at, verb: 'update', subresource, body, ...(user === undefined ? {} : { user }) }),
    );
    return response.ok ? 'ok' : (response.status.message ?? '').replace(/^.* is forbidden: /, '');
  };
  const failed = { conditions: [{ type: 'Failed', status: 'True', reason: 'X' }] };
  const denied = (verb: string): string => `user not permitted to ${verb} requests with signerName "example.com/mine"`;

  it.each<[string, string, readonly string[], User | undefined, string]>([
    ['the signer itself', 'sign', ['example.com/mine'], named('u'), 'ok'],
    ['all signers of its domain', 'sign', ['example.com/*'], named('u'), 'ok'],
    ['another signer', 'sign', ['example.com/other'], named('u'), denied('sign')],
    ['another domain', 'sign', ['other.com/*'], named('u'), denied('sign')],
    ['approvals only', 'approve', ['example.com/mine'], named('u'), denied('sign')],
    ['nothing, as another user', 'sign', ['example.com/mine'], named('v'), denied('sign')],
    ['nothing, as an administrator', 'sign', [], ADMIN, 'ok'],
    ['nothing, as the cluster', 'sign', [], undefined, 'ok'],
  ])('may sign who may use %s', (_, verb, signers, user, answer) => {
    expect(writing(world(verb, ...signers), 'status', { certificate: CERTIFICATE }, user)).toBe(answer);
    expect(writing(world(verb, ...signers), 'status', failed, user)).toBe(answer);
  });

  it('is asked only where the certificate, or the failure, changes', () => {
    const all = world('sign');
    const condition = { conditions: [{ type: 'Other', status: 'True', reason: 'X' }] };
    expect(writing(all, 'status', condition, named('u'))).toBe('ok');
    expect(writing(all, 'status', { ...failed, certificate: CERTIFICATE }, ADMIN)).toBe('ok');
    expect(writing(all, 'status', { conditions: [...failed.conditions, ...condition.conditions] }, named('u'))).toBe('ok');
    expect(writing(all, 'status', { conditions: [] }, named('u'))).not.toBe('ok');
  });

  it('approves by a permission of its own', () => {
    const approved = { conditions: [{ type: 'Approved', status: 'True', reason: 'X' }] };
    expect(writing(world('approve', 'example.com/*'), 'approval', approved, named('u'))).toBe('ok');
    expect(writing(world('sign', 'example.com/*'), 'approval', approved, named('u'))).toBe(denied('approve'));
  });
});
