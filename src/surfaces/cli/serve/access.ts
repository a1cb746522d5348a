import { rbacAccess, readTokens, createGate, serverHosts, readOrigin, createAuthority } from '../../http/index.ts';
import type { SessionOptions, ListenOptions, Authority, Credentials } from '../../http/index.ts';
import { BadInput } from '../exit.ts';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { onSystem, writeWhole } from '../files.ts';
import type { Io } from '../io.ts';
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { readWord } from '../options.ts';

/** Returns the access rules; undefined: every request is allowed. */
export function accessFrom(auth: string | undefined, anonymous: boolean, readFile: Read) {
  if (auth === undefined) {
    if (anonymous) throw new BadInput('--anonymous: it needs --auth');
    return undefined;
  }
  const tokens = readTokens(readFile(auth));
  if ('error' in tokens) throw new BadInput(`${auth}: ${tokens.error}`);
  const adminToken = [...tokens].find(([, { groups }]) => groups.includes('system:masters'))?.[0];
  return { adminToken, access: ((backend) => rbacAccess(backend, { tokens, anonymous })) satisfies SessionOptions['access'] };
}

/** Returns the gate; throws BadInput for a text that is not an origin. */
export function gateFor(allowOrigin: readonly string[]): NonNullable<ListenOptions['gate']> {
  const allowed = new Set(
    allowOrigin.map((text) => {
      const read = readOrigin(text);
      if ('error' in read) throw new BadInput(`--allow-origin: ${read.error}`);
      return read.origin;
    }),
  );
  return ({ host, port }) =>
    createGate({ isServerHost: serverHosts(host, port), address: `${host.includes(':') ? `[${host}]` : host}:${port}`, allowed });
}

export const readFile = (file: string, { cwd }: Pick<Io, 'cwd'>): string =>
  onSystem(`${file}: it cannot be read`, () => readFileSync(resolve(cwd, file), 'utf8'));

/** Credentials are readable only for their owner; the mode of an existing file is changed. */
const OWNER_ONLY = 0o600;
/** The first line of the file: the next call recognises it and may replace it. */
const MARK = '# Written by orchsim serve; the next one with this --kubeconfig replaces it.\n';

export function writeKubeconfig(path: string, text: string, { cwd }: Pick<Io, 'cwd'>): void {
  writeWhole({ option: '--kubeconfig', path, cwd, mode: OWNER_ONLY }, `${MARK}${text}`);
}

export interface TlsArguments {
  readonly host: string;
  readonly auth?: string;
  readonly tls?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsCa?: string;
  readonly clientCa?: string;
}

/** Without `tls`: plain HTTP only. The credentials: the CA by which clients trust the server, and the administrator's certificate. */
type Secured = Pick<ListenOptions, 'tls'> & {
  readonly credentials: Pick<Credentials, 'ca' | 'client'>;
  /** Signs what clients of the cluster ask for; absent: nothing here would trust it. */
  readonly signer?: Authority['signer'];
};

const MODES = ['on', 'off', 'both'] as const;
type Mode = (typeof MODES)[number];
type Read = (file: string) => string;

const ADMINISTRATOR = { name: 'orchsim-admin', groups: ['system:masters'] };

/** Throws BadInput for incompatible options and for files with wrong contents. */
export async function securedBy(given: TlsArguments, read: Read): Promise<Secured> {
  const mode = modeOf(given);
  const pair = givenPair(given, read);
  if (mode === 'off') {
    for (const [option, value] of [
      ['--tls-cert', given.tlsCert],
      ['--tls-ca', given.tlsCa],
      ['--client-ca', given.clientCa],
    ] as const)
      if (value !== undefined) throw new BadInput(`${option}: it needs TLS, which is off: add --tls on`);
    return { tls: undefined, credentials: {} };
  }
  const authority = await createAuthority();
  const { certificate, key } = pair ?? (await authority.forServer(hostsOf(given.host)));
  const clientCas = given.clientCa === undefined ? [] : [certificateIn('--client-ca', read(given.clientCa))];
  const plainToo = mode === 'both';
  return {
    signer: authority.signer,
    tls: { certificate, key, clientCas: [authority.certificate, ...clientCas], plainToo },
    credentials: {
      ca:
        pair === undefined
          ? authority.certificate
          : given.tlsCa === undefined
            ? pair.certificate
            : certificateIn('--tls-ca', read(given.tlsCa)),
      ...(given.auth === undefined ? {} : { client: await authority.forClient(ADMINISTRATOR.name, ADMINISTRATOR.groups) }),
    },
  };
}

function modeOf({ tls, auth, host, tlsCert, tlsKey }: TlsArguments): Mode {
  if (tls !== undefined) return readWord('--tls', tls, MODES);
  if (auth !== undefined) return isLocal(host) ? 'both' : 'on';
  return tlsCert === undefined && tlsKey === undefined ? 'off' : 'on';
}

const isLocal = (host: string): boolean => host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/** The subject alternative names of the generated certificate: the listening address, and the names by which pods call the server. */
const hostsOf = (host: string): readonly string[] => {
  const service = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  return [...new Set([host, '127.0.0.1', 'localhost', '::1', ...service])];
};

function givenPair(
  { tlsCert, tlsKey, tlsCa }: TlsArguments,
  read: Read,
): { readonly certificate: string; readonly key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) {
    if (tlsCa !== undefined) throw new BadInput('--tls-ca: it needs --tls-cert and --tls-key');
    return undefined;
  }
  if (tlsKey === undefined) throw new BadInput('--tls-cert: it needs --tls-key');
  if (tlsCert === undefined) throw new BadInput('--tls-key: it needs --tls-cert');
  const certificate = certificateIn('--tls-cert', read(tlsCert));
  const key = read(tlsKey);
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    throw new BadInput(`--tls-key: ${tlsKey} holds no key for ${tlsCert}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { certificate, key };
}

function certificateIn(option: string, pem: string): string {
  try {
    void new X509Certificate(pem);
  } catch (error) {
    throw new BadInput(`${option}: expected a certificate as PEM: ${error instanceof Error ? error.message : String(error)}`);
  }
  return pem;
}
