/** All that judging access takes, for one backend: who comes in, what they may, the built-in roles in the store. */
import { builtInRoles } from '../../../apiserver/access/index.ts';
import { storeKey } from '../../../apiserver/machinery/index.ts';
import type { ApiOptions } from '../api.ts';
import type { Backend } from '../backend.ts';
import { createAccountTokens } from './account-tokens.ts';
import { tokenGuard } from './guard.ts';
import { createJudge } from './judge.ts';
import type { Tokens } from './tokens.ts';

export interface AccessOptions {
  readonly tokens: Tokens;
  readonly anonymous: boolean;
  /** Signs tokens of service accounts; absent: a key that nobody knows, another one each time. */
  readonly key?: Uint8Array;
}

/** Creates the built-in roles where they are missing, and answers what `createApi` takes. */
export function judgedAccess(
  backend: Backend,
  { tokens, anonymous, key }: AccessOptions,
): Pick<ApiOptions, 'guard' | 'judge' | 'tokens' | 'accounts'> {
  for (const body of builtInRoles(backend.names)) {
    const { name = '', namespace } = body.metadata;
    if (backend.store.get(body.kind, storeKey(namespace, name)) !== undefined) continue;
    const made = backend.handle({ verb: 'create', kind: body.kind, ...(namespace === undefined ? {} : { namespace }), body });
    if (!made.ok) throw new Error(`${body.kind} ${name}: ${made.status.message ?? made.code}`);
  }
  const judge = createJudge(backend);
  const accounts = createAccountTokens(backend, key);
  return {
    judge,
    tokens,
    accounts,
    guard: tokenGuard({ tokens, anonymous, accounts, authorize: judge.authorize, authorizeImpersonation: judge.authorizeImpersonation }),
  };
}
