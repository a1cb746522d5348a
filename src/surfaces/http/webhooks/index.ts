/** Webhooks of programs on this machine: what `--webhook SERVICE=URL` says, and the calls. */
import type { AskWebhook } from '../../../apiserver/admission/index.ts';
import { textOfBase64 } from '../../../schema/values/index.ts';
import { postAndWait, type Posted } from './blocking.ts';

/** Where the programs listen, by service: `NAMESPACE/NAME`, or `NAME` in every namespace. */
export type WebhookRoutes = ReadonlyMap<string, URL>;

/** Reads `SERVICE=https://HOST:PORT`, or returns what is wrong with it. */
export function readWebhookRoute(text: string): readonly [service: string, to: URL] | string {
  const at = text.indexOf('=');
  const [service, address] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  const example = 'expected SERVICE=https://HOST:PORT, such as default/my-operator-webhook=https://127.0.0.1:9443';
  if (at < 1 || !/^(?:[a-z0-9.-]+\/)?[a-z0-9.-]+$/.test(service)) return `${example}, found ${JSON.stringify(text)}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.protocol !== 'https:' || url.pathname !== '/' || url.search !== '' || url.username !== '')
    return `${example}, found ${JSON.stringify(text)}`;
  return [service, url];
}

/** Names of this machine: a webhook that is called by its URL must be here, because a stored object must not make this host call others. */
const HERE: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

type Client = Parameters<AskWebhook>[0]['webhook']['clientConfig'];

/** `shown`: the address as upstream's errors show it. */
function targetOf({ url, service }: NonNullable<Client>, routes: WebhookRoutes, seconds: number) {
  const query = `?timeout=${seconds}s`;
  if (url !== undefined) {
    const to = new URL(url);
    const shown = `${url}${query}`;
    if (!HERE.has(to.hostname)) return `Post ${JSON.stringify(shown)}: only webhooks of this machine are called by their URL`;
    return { shown, to, path: `${to.pathname}${query}`, servername: undefined };
  }
  const { namespace = '', name = '', path = '/', port = 443 } = service ?? {};
  const servername = `${name}.${namespace}.svc`;
  const shown = `https://${servername}:${port}${path}${query}`;
  const to = routes.get(`${namespace}/${name}`) ?? routes.get(name);
  if (to === undefined)
    return `Post ${JSON.stringify(shown)}: no program stands for the service; name it with --webhook ${namespace}/${name}=https://127.0.0.1:PORT`;
  return { shown, to, path: `${path}${query}`, servername };
}

/** Returns who asks the programs. A webhook that asks this server before it answers waits for its own timeout. */
export const askingPrograms =
  (routes: WebhookRoutes): AskWebhook =>
  ({ webhook, review }) => {
    const { clientConfig, timeoutSeconds } = webhook;
    const target = targetOf(clientConfig ?? {}, routes, timeoutSeconds);
    if (typeof target === 'string') return { failure: target };
    const { to, path, servername, shown } = target;
    const bundle = clientConfig?.caBundle ?? '';
    const posted = postAndWait({
      host: to.hostname.replace(/[[\]]/g, ''),
      port: Number(to.port === '' ? 443 : to.port),
      path,
      servername,
      ca: bundle === '' ? undefined : textOfBase64(bundle),
      body: JSON.stringify(review),
      timeoutMs: timeoutSeconds * 1000,
    });
    if ('code' in posted) return { failure: `Post ${JSON.stringify(shown)}: ${why(posted, to, servername)}` };
    return read(posted);
  };

const UNKNOWN_AUTHORITY = /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;

/** The error in the words of Go's client. */
function why({ code, message }: Extract<Posted, { code: string }>, { host }: URL, servername = host): string {
  if (code === 'ECONNREFUSED') return `dial tcp ${host}: connect: connection refused`;
  if (code === 'ETIMEDOUT') return 'context deadline exceeded';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `x509: certificate is not valid for ${servername}: ${message}`;
  return UNKNOWN_AUTHORITY.test(code) ? 'x509: certificate signed by unknown authority' : message;
}

function read({ status, text }: Extract<Posted, { status: number }>): ReturnType<AskWebhook> {
  if (status === 404) return { failure: 'the server could not find the requested resource' };
  if (status !== 200)
    return { failure: `an error on the server (${JSON.stringify(text.trim().slice(0, 200))}) has prevented the request from succeeding` };
  try {
    return { review: JSON.parse(text) as unknown };
  } catch (error) {
    return { failure: `the answer is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
