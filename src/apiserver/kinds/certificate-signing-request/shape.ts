/** The schema of CertificateSigningRequests. Models: v1.24 certificates/v1. */
import { always, atomicList, bytes, field, int32, map, mapList, obj, ptr, req, str, time } from '../../../schema/shape/index.ts';
import type { Infer } from '../../../schema/shape/index.ts';
import { kindFields, type ObjectOf } from '../../structs/index.ts';

const csrCondition = obj('CertificateSigningRequestCondition', 'A decision about the request, or its failure.', {
  type: field(1, 'Approved, Denied, Failed, or another one. One condition for each type.', req(str('RequestConditionType'))),
  status: field(6, 'True, False or Unknown; of Approved, Denied and Failed always True.', req(str('ConditionStatus'))),
  reason: field(2, 'The reason as one word in CamelCase, for programs.', str()),
  message: field(3, 'The reason as a sentence.', str()),
  lastUpdateTime: field(4, 'When the condition was last written.', always(time)),
  lastTransitionTime: field(5, 'When the status last changed from one value to another.', always(time)),
});

export const csrSchema = obj(
  'CertificateSigningRequest',
  'A request for a certificate: a signer answers it once it is approved.',
  kindFields({
    spec: req(
      obj('CertificateSigningRequestSpec', 'The request, and who made it. Cannot be changed.', {
        request: field(1, 'A PKCS #10 request in PEM.', req({ ...bytes, listType: 'atomic' } as typeof bytes)),
        signerName: field(7, 'Who shall sign, such as example.com/name.', req(str())),
        expirationSeconds: field(8, 'How long the certificate should be valid; at least 600. The signer may choose less.', ptr(int32)),
        usages: field(5, 'What the key may be used for, such as client auth.', atomicList(str('KeyUsage'))),
        username: field(2, 'Who made the request; set by the server.', str()),
        uid: field(3, 'The uid of the user; set by the server.', str()),
        groups: field(4, 'The groups of the user; set by the server.', atomicList(str())),
        extra: field(6, 'Further attributes of the user; set by the server.', map(atomicList(str()))),
      }),
    ),
    status: obj('CertificateSigningRequestStatus', 'The decision, and the certificate.', {
      conditions: field(1, 'Decisions about the request.', mapList(csrCondition, 'type')),
      certificate: field(2, 'The certificate in PEM, once it is issued.', { ...bytes, listType: 'atomic' } as typeof bytes),
    }),
  }),
);
export type CertificateSigningRequest = ObjectOf<'CertificateSigningRequest', Infer<typeof csrSchema>>;
