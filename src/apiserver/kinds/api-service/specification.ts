/** Rules of the specification for APIServices that v1.24 does not have. Source: resource-api.md, "APIService". */
import { isBase64, textOfBase64 } from '../../../schema/values/index.ts';
import { conditionErrors, invalid, reasonErrors, type Rule, repeatedTypeErrors } from '../../machinery/index.ts';
import type { APIService } from './shape.ts';

const BLOCK = /-----BEGIN CERTIFICATE-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE-----/g;
/** The first base64 character of a certificate: a DER sequence. */
const SEQUENCE = 'M';

/** Whether a bundle has at least one certificate, and only certificates in its blocks. */
function isPemBundle(base64: string): boolean {
  const blocks = [...textOfBase64(base64).matchAll(BLOCK)].map(([, body = '']) => body.replace(/[\r\n]/g, ''));
  return blocks.length > 0 && blocks.every((body) => body.startsWith(SEQUENCE) && isBase64(body));
}

const PLACE = 'resource-api.md: APIService';

export const apiServiceSpecification: readonly Rule<APIService>[] = [
  {
    name: 'api-service/ca-bundle-is-pem',
    kind: 'APIService',
    field: 'spec.caBundle',
    statement: 'caBundle contains certificates in PEM format.',
    place: `${PLACE}, spec.caBundle`,
    recorded: 'accepts any bytes',
    member: 'spec',
    check: ({ spec: { caBundle = '' } }) =>
      caBundle === '' || isPemBundle(caBundle)
        ? []
        : [invalid('spec.caBundle', '<bytes>', 'must hold at least one certificate in PEM (-----BEGIN CERTIFICATE-----)')],
  },
  {
    name: 'api-service/condition-states',
    kind: 'APIService',
    field: 'status.conditions[].status, .type',
    statement: 'A condition has a type, and the status True, False or Unknown.',
    place: `${PLACE}, status.conditions`,
    recorded: 'validates the status of a condition when the status is written, and accepts conditions without a type',
    member: 'status',
    check: ({ status }) => conditionErrors(status.conditions).filter(({ type }) => type === 'Required'),
  },
  {
    name: 'api-service/condition-reasons',
    kind: 'APIService',
    field: 'status.conditions[].reason',
    statement: 'The reason of a condition is one CamelCase word.',
    place: `${PLACE}, status.conditions`,
    recorded: 'accepts any text',
    member: 'status',
    check: ({ status }) => reasonErrors(status.conditions),
  },
  {
    name: 'api-service/one-condition-of-a-type',
    kind: 'APIService',
    field: 'status.conditions[].type',
    statement: 'Each type has at most one condition.',
    place: `${PLACE}, status.conditions; Conventions 4`,
    recorded: 'accepts several',
    member: 'status',
    check: ({ status }) => repeatedTypeErrors(status.conditions),
  },
];
