/** What a CertificateSigningRequest may be, beside the request inside it. */
import { describe } from 'vitest';
import { check, SUBDOMAIN } from './causes.ts';

const NO_REQUEST = 'spec.request: Invalid value: []byte(nil): PEM block type must be CERTIFICATE REQUEST';

const request = (spec: object): object => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'c' },
  spec,
});
const signedBy = (signerName: string): object => request({ signerName, usages: ['any'] });

describe('a request', () => {
  check([
    ['has all its parts', request({}), [NO_REQUEST, 'spec.usages: Required value', 'spec.signerName: Required value']],
    [
      'has a request that is one',
      request({ signerName: 'a.b/c', request: 'eA==', usages: ['any'] }),
      ['spec.request: Invalid value: []byte{0x78}: PEM block type must be CERTIFICATE REQUEST'],
    ],
    [
      'is for known usages, once each',
      request({ signerName: 'a.b/c', usages: ['x', 'any', 'client auth', 'any', 'any'] }),
      [
        NO_REQUEST,
        'spec.usages[0]: Unsupported value: "x": supported values: "any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping"',
        'spec.usages[3]: Duplicate value: "any"',
        'spec.usages[4]: Duplicate value: "any"',
      ],
    ],
    [
      'is for all usages',
      request({
        signerName: 'a.b/c',
        usages: [
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
        ],
      }),
      [NO_REQUEST],
    ],
    [
      'is not for less than ten minutes',
      request({ signerName: 'a.b/c', usages: ['any'], expirationSeconds: 599 }),
      [NO_REQUEST, 'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)'],
    ],
    ['is for ten minutes', request({ signerName: 'a.b/c', usages: ['any'], expirationSeconds: 600 }), [NO_REQUEST]],
  ]);
});

describe('a signer', () => {
  check([
    [
      'is not the old one',
      signedBy('kubernetes.io/legacy-unknown'),
      [
        NO_REQUEST,
        'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
      ],
    ],
    [
      'has a domain and a path',
      signedBy('a'),
      [NO_REQUEST, `spec.signerName: Invalid value: "a": must be a fully qualified domain and path of the form 'example.com/signer-name'`],
    ],
    [
      'has a path of one segment',
      signedBy('a.b/c/d'),
      [
        NO_REQUEST,
        `spec.signerName: Invalid value: "a.b/c/d": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
      ],
    ],
    [
      'has names',
      signedBy('A/B'),
      [
        NO_REQUEST,
        `spec.signerName: Invalid value: "A": validating label "A": ${SUBDOMAIN}`,
        'spec.signerName: Invalid value: "A": should be a domain with at least two segments separated by dots',
        `spec.signerName: Invalid value: "B": validating label "B": ${SUBDOMAIN}`,
      ],
    ],
    [
      'has a path that is not empty',
      signedBy('a.b/'),
      [NO_REQUEST, `spec.signerName: Invalid value: "": validating label "": ${SUBDOMAIN}`],
    ],
    [
      'has a domain that is not empty',
      signedBy('/b'),
      [
        NO_REQUEST,
        `spec.signerName: Invalid value: "": validating label "": ${SUBDOMAIN}`,
        'spec.signerName: Invalid value: "": should be a domain with at least two segments separated by dots',
      ],
    ],
    ['may have a path with dots', signedBy('a.b/c.d'), [NO_REQUEST]],
  ]);
});
