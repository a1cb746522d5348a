/**
 * The decision: the first rule that allows wins; otherwise the request is denied, with the errors met on the way. Models: v1.24
 * plugin/pkg/auth/authorizer/rbac rbac.go.
 */
import type { Names } from '../machinery/index.ts';
import type { Store } from '../store/index.ts';
import { aggregateText } from '../../schema/values/index.ts';
import { rulesFor } from './bindings.ts';
import type { AccessQuestion, Decision } from './question.ts';
import { ruleAllows } from './rules.ts';

/** Members of this group may do everything, regardless of bindings. */
export const PRIVILEGED = 'system:masters';

export interface Authorizer {
  decide(question: AccessQuestion): Decision;
}

/** Returns an authorizer by the roles and bindings in the store. */
export function createAuthorizer(store: Store, names: Names): Authorizer {
  return {
    decide(question) {
      if (question.user.groups.includes(PRIVILEGED)) return { allowed: true, reason: '' };
      const errors: string[] = [];
      const namespace = question.path === undefined ? (question.namespace ?? '') : '';
      for (const given of rulesFor(store, names, question.user, namespace)) {
        if (given.error !== undefined) errors.push(given.error);
        else if (ruleAllows(given.rule, question)) return { allowed: true, reason: `RBAC: allowed by ${given.source}` };
      }
      return { allowed: false, reason: errors.length === 0 ? '' : `RBAC: ${aggregateText(errors)}` };
    },
  };
}
