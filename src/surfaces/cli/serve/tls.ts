/**
 * `--tls`, `--tls-cert`, `--tls-key`, `--tls-ca`, `--client-ca`: how connections are secured, and what clients are given to trust. Clients
 * of the ecosystem send credentials over HTTPS alone, so where access is judged it is spoken; plain HTTP goes on beside it for scripts on
 * this machine, and nowhere else.
 */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { createAuthority, type Credentials, type ListenOptions } from '../../http/index.ts';
import { BadInput } from '../exit.ts';
import { readWord } from '../options.ts';

export interface TlsArguments {
  readonly host: string;
  readonly auth?: string;
  readonly tls?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsCa?: string;
  readonly clientCa?: string;
}

export interface Secured {
  /** Undefined: plain HTTP alone. */
  readonly tls: ListenOptions['tls'];
  readonly plain: boolean;
  /** What a client needs to trust the server, and to be its administrator. */
  readonly credentials: Pick<Credentials, 'ca' | 'client'>;
}

const MODES = ['on', 'off', 'both'] as const;
type Mode = (typeof MODES)[number];
type Read = (file: string) => string;

/** Who the kubeconfig's certificate says its owner is. */
const ADMINISTRATOR = { name: 'orchsim-admin', groups: ['system:masters'] };

/** Throws BadInput for options that do not go together and files that do not hold what they should. */
export async function securedBy(given: TlsArguments, read: Read): Promise<Secured> {
  const mode = modeOf(given);
  const own = ownPair(given, read);
  if (mode === 'off') {
    for (const [option, value] of [
      ['--tls-cert', given.tlsCert],
      ['--tls-ca', given.tlsCa],
      ['--client-ca', given.clientCa],
    ] as const)
      if (value !== undefined) throw new BadInput(`${option}: it goes with TLS, which is off: say --tls on`);
    return { tls: undefined, plain: true, credentials: {} };
  }
  const authority = await createAuthority();
  const { certificate, key } = own ?? (await authority.forServer(hostsOf(given.host)));
  const clientCas = given.clientCa === undefined ? [] : [certificateIn('--client-ca', read(given.clientCa))];
  const plainToo = mode === 'both';
  return {
    tls: { certificate, key, clientCas: [authority.certificate, ...clientCas], plainToo },
    plain: plainToo,
    credentials: {
      ca:
        own === undefined
          ? authority.certificate
          : given.tlsCa === undefined
            ? own.certificate
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

/** What the certificate made here is good for: where it listens, and the names by which pods would call it. */
const hostsOf = (host: string): readonly string[] => {
  const service = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
  return [...new Set([host, '127.0.0.1', 'localhost', '::1', ...service])];
};

/** The certificate and key that somebody brought. */
function ownPair({ tlsCert, tlsKey, tlsCa }: TlsArguments, read: Read): { readonly certificate: string; readonly key: string } | undefined {
  if (tlsCert === undefined && tlsKey === undefined) {
    if (tlsCa !== undefined) throw new BadInput('--tls-ca: it goes with --tls-cert and --tls-key');
    return undefined;
  }
  if (tlsKey === undefined) throw new BadInput('--tls-cert: it goes with --tls-key');
  if (tlsCert === undefined) throw new BadInput('--tls-key: it goes with --tls-cert');
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
  const problem = problemOf(pem);
  if (problem !== undefined) throw new BadInput(`${option}: expected a certificate as PEM: ${problem}`);
  return pem;
}

function problemOf(pem: string): string | undefined {
  try {
    return new X509Certificate(pem).raw.length > 0 ? undefined : 'it is empty';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
