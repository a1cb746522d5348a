/** Which requests are approved, signed and removed, and when. */
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CertificateSigningRequest, kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import {
  certificateApprover,
  certificateCleaner,
  certificateSigner,
} from '../../../../src/controlplane/controllers/certificates/controller.ts';
import { STAND_IN } from '../../../../src/controlplane/controllers/certificates/issue.ts';
import { base64OfBytes, base64OfText, DER, der, derOid, formatTime } from '../../../../src/schema/values/index.ts';
import { at, AT } from '../../../support/objects.ts';
import { decide, linesOf, statusIn } from '../../../support/reconcile.ts';

const TEXT = new TextEncoder();
const HOUR = 3600;
const CLIENT = 'kubernetes.io/kube-apiserver-client';
const AGENT = 'kubernetes.io/kube-apiserver-client-kubelet';
const SERVING = 'kubernetes.io/kubelet-serving';
const [MAIL, DNS, URI, IP] = [1, 2, 6, 7];

const name = (oid: string, text: string) => der(DER.set, der(DER.sequence, derOid(oid), der(DER.utf8, TEXT.encode(text))));
/** A request in PEM and base64: of these organizations, this common name, and alternative names of these types. */
function pem(organizations: readonly string[], commonName: string, alternatives: readonly number[] = []): string {
  const subject = der(DER.sequence, ...organizations.map((each) => name('2.5.4.10', each)), name('2.5.4.3', commonName));
  const names = der(DER.sequence, ...alternatives.map((type) => der(0x80 | type, TEXT.encode('abcd'))));
  const extension = der(DER.sequence, derOid('2.5.29.17'), der(DER.octetString, names));
  const attribute = der(DER.sequence, derOid('1.2.840.113549.1.9.14'), der(DER.set, der(DER.sequence, extension)));
  const key = der(DER.sequence, der(DER.sequence, derOid('1.2.840.10045.2.1')), der(DER.bitString, Uint8Array.of(0, 4)));
  const info = der(
    DER.sequence,
    der(DER.integer, Uint8Array.of(0)),
    subject,
    key,
    ...(alternatives.length === 0 ? [] : [der(0xa0, attribute)]),
  );
  const request = der(DER.sequence, info, der(DER.sequence, derOid('1.2.840.10045.4.3.2')), der(DER.bitString, Uint8Array.of(0, 1)));
  return base64OfText(`-----BEGIN CERTIFICATE REQUEST-----\n${base64OfBytes(request)}\n-----END CERTIFICATE REQUEST-----\n`);
}
const NODE = pem(['system:nodes'], 'system:node:n');
const JANE = pem([], 'jane');
const condition = (type: string, second = 0) => ({
  type,
  status: 'True',
  reason: 'r',
  message: 'm',
  lastUpdateTime: formatTime(at(second)),
  lastTransitionTime: formatTime(at(second)),
});
const APPROVED = { conditions: [condition('Approved')] };
const asked = (spec: object, status: object = APPROVED, meta: object = {}): CertificateSigningRequest =>
  ({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'r', uid: '00000000-0000-4000-8000-000000000001', resourceVersion: '1', creationTimestamp: AT, ...meta },
    spec: { request: JANE, signerName: CLIENT, usages: ['client auth'], username: 'jane', groups: ['dev'], ...spec },
    status,
  }) as unknown as CertificateSigningRequest;
const signer = certificateSigner(kindsFor(namesFor('k8s.io')), {});
const decided = (controller: object, self: CertificateSigningRequest, second = 60) =>
  decide(controller, { objects: [self], now: at(second) });

describe('the signer', () => {
  const why = (spec: object, status: object = APPROVED) => decided(signer, asked(spec, status)).why;
  const usage = (text: string, only: string) =>
    `it cannot be signed: the usage "${text}" is not allowed, only key encipherment, digital signature, ${only} auth`;
  const agent = { signerName: AGENT, request: NODE, usages: ['digital signature', 'client auth'] };
  const serving = {
    signerName: SERVING,
    request: pem(['system:nodes'], 'system:node:n', [DNS]),
    usages: ['digital signature', 'server auth'],
  };
  const named = (...types: readonly number[]) => ({ ...serving, request: pem(['system:nodes'], 'system:node:n', types) });

  it.each<[string, object, object, string]>([
    ['waits for an approval', {}, {}, 'it is not approved'],
    ['leaves what is denied', {}, { conditions: [condition('Approved'), condition('Denied')] }, 'it is not approved'],
    ['leaves what is issued', {}, { ...APPROVED, certificate: 'x' }, 'its certificate is issued'],
    ['signs where the certificate is empty', {}, { ...APPROVED, certificate: '' }, 'it is approved'],
    ['leaves what has failed', {}, { conditions: [condition('Approved'), condition('Failed')] }, 'it has failed'],
    ['leaves what is for another signer', { signerName: 'example.com/mine' }, APPROVED, 'example.com/mine is another signer'],
    ['signs for clients', {}, APPROVED, 'it is approved'],
    [
      'signs for clients with all usages of them',
      { usages: ['key encipherment', 'digital signature', 'client auth'] },
      APPROVED,
      'it is approved',
    ],
    [
      'does not sign for clients without their usage',
      { usages: ['digital signature'] },
      APPROVED,
      'it cannot be signed: the usage "client auth" is missing',
    ],
    ['does not sign without usages', { usages: undefined }, APPROVED, 'it cannot be signed: the usage "client auth" is missing'],
    ['does not sign for clients with another usage', { usages: ['client auth', 'server auth'] }, APPROVED, usage('server auth', 'client')],
    [
      'does not sign what is no request',
      { request: base64OfText('x') },
      APPROVED,
      'it cannot be signed: PEM block type must be CERTIFICATE REQUEST',
    ],
    ['signs for agents', agent, APPROVED, 'it is approved'],
    [
      'does not sign for agents of no organization',
      { ...agent, request: pem([], 'system:node:n') },
      APPROVED,
      'it cannot be signed: subject organization is not system:nodes',
    ],
    [
      'does not sign for agents of two organizations',
      { ...agent, request: pem(['system:nodes', 'b'], 'system:node:n') },
      APPROVED,
      'it cannot be signed: subject organization is not system:nodes',
    ],
    [
      'does not sign for agents of another organization',
      { ...agent, request: pem(['b'], 'system:node:n') },
      APPROVED,
      'it cannot be signed: subject organization is not system:nodes',
    ],
    [
      'does not sign for agents of another name',
      { ...agent, request: pem(['system:nodes'], 'x system:node:n') },
      APPROVED,
      'it cannot be signed: subject common name does not begin with system:node:',
    ],
    [
      'does not sign for agents with alternative names',
      { ...agent, request: pem(['system:nodes'], 'system:node:n', [DNS]) },
      APPROVED,
      'it cannot be signed: subject alternative names are not allowed',
    ],
    [
      'does not sign for agents without a usage',
      { ...agent, usages: ['client auth'] },
      APPROVED,
      'it cannot be signed: the usage "digital signature" is missing',
    ],
    [
      'does not sign for agents with another usage',
      { ...agent, usages: [...agent.usages, 'cert sign'] },
      APPROVED,
      usage('cert sign', 'client'),
    ],
    ['signs for servers of agents', serving, APPROVED, 'it is approved'],
    ['signs for servers with an address', named(IP), APPROVED, 'it is approved'],
    [
      'does not sign for servers with a mail address',
      named(DNS, MAIL),
      APPROVED,
      'it cannot be signed: Email and URI subject alternative names are not allowed',
    ],
    [
      'does not sign for servers with a URI',
      named(IP, URI),
      APPROVED,
      'it cannot be signed: Email and URI subject alternative names are not allowed',
    ],
    [
      'does not sign for servers without a name',
      named(),
      APPROVED,
      'it cannot be signed: at least one DNS or IP subject alternative name is required',
    ],
    [
      'does not sign for other servers',
      { ...serving, request: pem(['b'], 'system:node:n', [DNS]) },
      APPROVED,
      'it cannot be signed: subject organization is not system:nodes',
    ],
    [
      'does not sign for servers without a usage',
      { ...serving, usages: ['digital signature'] },
      APPROVED,
      'it cannot be signed: the usage "server auth" is missing',
    ],
    [
      'does not sign for servers with another usage',
      { ...serving, usages: [...serving.usages, 'client auth'] },
      APPROVED,
      usage('client auth', 'server'),
    ],
  ])('%s', (_, spec, status, reason) => {
    expect(why(spec, status)).toBe(reason);
  });

  it('notes why it does not sign, and keeps the other conditions', () => {
    expect(linesOf(decided(signer, asked({ usages: [] })))).toEqual([
      'it cannot be signed: the usage "client auth" is missing',
      'update CertificateSigningRequest/status r {status:{conditions:["Approved=True, reason: r, message: m, lastUpdateTime: 00:00:00, lastTransitionTime: 00:00:00","Failed=True, reason: SignerValidationFailure, message: the usage \\"client auth\\" is missing, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00"]}}',
    ]);
  });

  const issued = (spec: object, controller: object = signer): X509Certificate => {
    const { certificate = '' } = statusIn<{ certificate?: string }>(decided(controller, asked(spec), 3600)) ?? {};
    return new X509Certificate(Buffer.from(certificate, 'base64').toString());
  };
  const days = ({ validFrom, validTo }: X509Certificate): readonly string[] =>
    [validFrom, validTo].map((text) => new Date(text).toISOString());

  it('signs for a year, or for the time that is asked for, from five minutes ago', () => {
    expect(days(issued({}))).toEqual(['2024-01-01T00:55:00.000Z', '2024-12-31T01:00:00.000Z']);
    expect(days(issued({ expirationSeconds: 600 }))).toEqual(['2024-01-01T00:55:00.000Z', '2024-01-01T01:10:00.000Z']);
    expect(days(issued({ expirationSeconds: 366 * 86_400 }))[1]).toBe('2024-12-31T01:00:00.000Z');
  });

  it('signs with the authority and the clock of a server, which checks signatures', () => {
    const kinds = kindsFor(namesFor('k8s.io'));
    const served = (genuine: boolean) =>
      certificateSigner(kinds, { certificateAuthority: { ...STAND_IN, now: () => at(7200), verify: () => genuine } });
    expect(days(issued({ expirationSeconds: 600 }, served(true)))).toEqual(['2024-01-01T01:55:00.000Z', '2024-01-01T02:10:00.000Z']);
    expect(decided(served(false), asked({})).why).toBe('it cannot be signed: its signature is not that of its key');
    expect(issued({ usages: ['client auth'] }).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(issued({}).serialNumber).toBe('0100000000000040008000000000000001');
  });
});

describe('the approver', () => {
  const agent = {
    signerName: AGENT,
    request: NODE,
    usages: ['digital signature', 'client auth'],
    username: 'system:bootstrap:x',
    groups: ['system:bootstrappers'],
  };
  const lines = (spec: object, status: object = {}) => linesOf(decided(certificateApprover, asked({ ...agent, ...spec }, status)));
  const approved = (what: string) => `Auto approving ${what} client certificate after SubjectAccessReview.`;

  it.each<[string, object, object, string]>([
    ['leaves what is approved', {}, APPROVED, 'it is decided'],
    ['leaves what is denied', {}, { conditions: [condition('Denied')] }, 'it is decided'],
    ['leaves other signers to users', { signerName: CLIENT }, {}, 'users decide about it'],
    ['leaves what is no request', { request: 'x' }, {}, 'it is not that of a node agent'],
    ['leaves what would not be signed', { usages: ['client auth'] }, {}, 'it is not that of a node agent'],
    ['leaves requests of other users', { groups: ['dev'] }, {}, 'system:bootstrap:x may not have it without a decision'],
    ['leaves requests of no user', { groups: undefined, username: undefined }, {}, ' may not have it without a decision'],
    [
      'leaves those of another node',
      { username: 'system:node:m', groups: ['system:nodes'] },
      {},
      'system:node:m may not have it without a decision',
    ],
    [
      'leaves those of the name of a node',
      { username: 'system:node:n', groups: ['dev'] },
      {},
      'system:node:n may not have it without a decision',
    ],
    ['approves those of bootstrappers', {}, {}, approved('kubelet')],
    ['approves renewals', { username: 'system:node:n', groups: ['system:nodes'] }, {}, approved('self kubelet')],
  ])('%s', (_, spec, status, why) => {
    expect(lines(spec, status)[0]).toBe(why);
  });

  it('notes its approval', () => {
    const [write] = decided(certificateApprover, asked(agent, { conditions: [condition('Odd')] })).writes;
    expect(write).toMatchObject({ op: 'update', subresource: 'approval' });
    expect((write as unknown as { readonly object: CertificateSigningRequest }).object.status.conditions).toEqual([
      condition('Odd'),
      {
        ...condition('Approved', 60),
        reason: 'AutoApproved',
        message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
      },
    ]);
  });
});

describe('the cleaner', () => {
  const lines = (second: number, status: object, meta: object = {}) =>
    linesOf(decided(certificateCleaner, asked({}, status, meta), second));
  const gone = 'delete CertificateSigningRequest r {uid:00000000-0000-4000-8000-000000000001,tolerate:[NotFound]}';
  const waits = (why: string, second: number) => [why, `wakeAt: @${second}`, 'background: true'];
  const over = [`it was decided an hour ago`, gone];

  it.each<[string, number, object, readonly string[]]>([
    ['removes what was denied an hour ago', HOUR + 100, { conditions: [condition('Denied', 100)] }, over],
    ['keeps it until then', HOUR + 99, { conditions: [condition('Denied', 100)] }, waits('it is kept for an hour', HOUR + 100)],
    ['removes what failed an hour ago', HOUR + 100, { conditions: [condition('Failed', 100)] }, over],
    [
      'removes what was issued, an hour after its approval',
      HOUR + 100,
      { certificate: 'x', conditions: [condition('Odd', 900), condition('Approved', 100)] },
      over,
    ],
    ['counts from the creation where no time is known', HOUR, { certificate: 'x' }, over],
    [
      'keeps what is approved and not issued for a day',
      86_399,
      { certificate: '', conditions: [condition('Approved', 100)] },
      ['it may still be decided', `wakeAt: ${at(86_400)}`, 'background: true'],
    ],
    ['removes what was not decided within a day', 86_400, {}, ['it was not decided within a day', gone]],
  ])('%s', (_, second, status, expected) => {
    expect(lines(second, status)).toEqual(expected);
  });

  it('counts from now where the creation is unknown', () => {
    expect(lines(60, { certificate: 'x' }, { creationTimestamp: undefined })).toEqual(waits('it is kept for an hour', HOUR + 60));
  });
});
