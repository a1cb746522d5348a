/** Access control of one backend: authentication, authorization, and the built-in roles in the store. */
import { builtInRoles } from '../../../apiserver/access/index.ts';
import { storeKey } from '../../../apiserver/machinery/index.ts';
import type { ApiOptions } from '../api.ts';
import type { Backend } from '../backend.ts';
import { createAccountTokens } from './account-tokens.ts';
import { tokenGuard, type Tokens } from './guard.ts';
import { createRequestAuthorizer } from './authorizer.ts';

/** Creates missing built-in roles. Returns the options for `createApi`. `key` signs tokens of service accounts; absent: a random one. */
export function rbacAccess(
  backend: Backend,
  { tokens, anonymous, key }: { readonly tokens: Tokens; readonly anonymous: boolean; readonly key?: Uint8Array },
): Pick<ApiOptions, 'guard' | 'authorizer' | 'tokens' | 'accounts'> {
  for (const body of builtInRoles(backend.names)) {
    const { name = '', namespace } = body.metadata;
    if (backend.store.get(body.kind, storeKey(namespace, name)) !== undefined) continue;
    const made = backend.handle({ verb: 'create', kind: body.kind, ...(namespace === undefined ? {} : { namespace }), body });
    if (!made.ok) throw new Error(`${body.kind} ${name}: ${made.status.message ?? made.code}`);
  }
  const authorizer = createRequestAuthorizer(backend);
  const accounts = createAccountTokens(backend, key);
  return { authorizer, tokens, accounts, guard: tokenGuard({ ...authorizer, tokens, anonymous, accounts }) };
}
