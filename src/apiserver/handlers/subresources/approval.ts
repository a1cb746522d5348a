/**
 * The approval of a CertificateSigningRequest: only conditions change, by users who may approve for its signer. Field managers are not
 * recorded. Models: v1.24 pkg/registry/certificates/certificates strategy.go csrApprovalStrategy.
 */
import { demandSigner } from '../../admission/index.ts';
import { certificateSigningRequest, changedStatusErrors, conditionsErrors, isOf, timedConditions } from '../../kinds/index.ts';
import { partsOf } from '../../machinery/index.ts';
import { internal, invalid } from '../../request/index.ts';
import { checkVersion, committing, type Plan, run, Write } from '../../write/index.ts';
import { checkName, decodeBody } from '../body.ts';
import type { Subresource } from './contract.ts';

const PLAN: Plan = [committing];
const STATUS = partsOf('status');
const KIND = 'CertificateSigningRequest';

export const approval: Subresource = {
  schema: certificateSigningRequest.schema,
  get: (_, stored) => stored,
  update(scope, place, stored) {
    const { resource, name, sent, request } = place;
    const given = decodeBody(scope, resource, sent, stored);
    if (!isOf(KIND, stored) || !isOf(KIND, given)) throw internal(`${name} is no ${KIND}`);
    checkName(name, given);
    checkVersion(resource, name, given.metadata.resourceVersion, stored);
    const conditions = timedConditions(given.status.conditions, stored.status.conditions, scope.now());
    const status = conditions === undefined ? given.status : { ...given.status, conditions };
    const object = { ...stored, status };
    demandSigner(scope, resource, name, request.user, 'approve', stored.spec.signerName);
    const errors = [...conditionsErrors(object), ...changedStatusErrors(object, stored, true)];
    if (errors.length > 0) throw invalid(resource, name, errors);
    const write = new Write(scope, place, { object, changed: STATUS, isFresh: true });
    run(PLAN, write);
    return { ok: true, code: 200, object: write.result ?? object };
  },
};
