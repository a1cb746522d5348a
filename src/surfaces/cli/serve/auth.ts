/** `--auth FILE`: authentication and authorization of a served cluster. */
import { rbacAccess, readTokens, type SessionOptions } from '../../http/index.ts';
import { BadInput } from '../exit.ts';

export interface AuthOptions {
  readonly auth?: string;
  readonly anonymous?: boolean;
}

export interface Auth {
  readonly access: NonNullable<SessionOptions['access']>;
  /** The token of an administrator, for the kubeconfig. */
  readonly adminToken: string | undefined;
}

/** Returns the access rules; undefined: every request is allowed. */
export function accessFrom({ auth, anonymous = false }: AuthOptions, readFile: (file: string) => string): Auth | undefined {
  if (auth === undefined) {
    if (anonymous) throw new BadInput('--anonymous: it needs --auth');
    return undefined;
  }
  const tokens = readTokens(readFile(auth));
  if ('error' in tokens) throw new BadInput(`${auth}: ${tokens.error}`);
  const adminToken = [...tokens].find(([, { groups }]) => groups.includes('system:masters'))?.[0];
  return { adminToken, access: (backend) => rbacAccess(backend, { tokens, anonymous }) };
}
