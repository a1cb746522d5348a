import { rawReply } from './answer/encode.ts';
import type { Area } from './call.ts';
import { text } from './message.ts';
import { methodNotAllowed, notAcceptable, qualified } from './refusals.ts';
import { takesAnything } from './request/accept.ts';

const hooks = (names: string): readonly string[] => names.split(' ').map((name) => `poststarthook/${name}`);

/** The checks by upstream's names. They are all of this process, so they succeed whenever it answers. */
const CHECKS = [
  'ping',
  'log',
  'etcd',
  ...hooks(
    'start-kube-apiserver-admission-initializer generic-apiserver-start-informers priority-and-fairness-config-consumer priority-and-fairness-filter start-apiextensions-informers start-apiextensions-controllers crd-informer-synced bootstrap-controller scheduling/bootstrap-system-priority-classes priority-and-fairness-config-producer start-cluster-authentication-info-controller start-kube-aggregator-informers apiservice-registration-controller apiservice-status-available-controller apiservice-wait-for-first-sync kube-apiserver-autoregistration',
  ),
  'autoregister-completion',
  ...hooks('apiservice-openapi-controller apiservice-openapiv3-controller'),
];
const READY_CHECKS = [...CHECKS.slice(0, 3), 'informer-sync', ...CHECKS.slice(3), 'shutdown'];

/** The body of `/version`. `gitVersion` is the modelled version. */
export const VERSION = {
  major: '1',
  minor: '24',
  gitVersion: 'v1.24.0',
  gitCommit: '4ce5a8954017644c5420bae81d72b09b735c21f0',
  gitTreeState: 'clean',
  buildDate: '2022-05-03T13:38:19Z',
  goVersion: 'go1.18.1',
  compiler: 'gc',
  platform: 'linux/amd64',
};

export const health: Area = ({ path, query, http }) => {
  const [, root = '', ...rest] = path.replace(/\/$/, '').split('/');
  if (root === 'version' && rest.length === 0) {
    if (http.method !== 'GET') throw methodNotAllowed();
    return rawReply(VERSION);
  }
  if (root !== 'healthz' && root !== 'livez' && root !== 'readyz') return undefined;
  const checks = root === 'readyz' ? READY_CHECKS : CHECKS;
  if (rest.length > 0) return checks.includes(rest.join('/')) ? text(200, 'ok') : undefined;
  if (!query.has('verbose')) return text(200, 'ok');
  const excluded = new Set(query.get('exclude') ?? []);
  const lines = checks.map((check) => `[+]${check} ${excluded.has(check) ? 'excluded: ' : ''}ok\n`);
  return text(200, `${lines.join('')}${root} check passed\n`);
};

export const healthPaths = (): string[] =>
  ['healthz', 'livez', 'readyz'].flatMap((root) => [
    `/${root}`,
    ...(root === 'readyz' ? READY_CHECKS : CHECKS).map((check) => `/${root}/${check}`),
  ]);

const NO_FILES = '<pre>\n</pre>\n';

export const logs: Area = ({ path, http: { method, headers } }) => {
  if (path !== '/logs' && !path.startsWith('/logs/')) return undefined;
  if (method !== 'GET') throw methodNotAllowed();
  if (!takesAnything(headers['accept'])) throw notAcceptable();
  return path === '/logs' || path === '/logs/' ? text(200, NO_FILES, 'text/html; charset=utf-8') : undefined;
};

const metric = (type: 'counter' | 'gauge', name: string, help: string, values: readonly string[]): string =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values.map((value) => `${name}${value}`), ''].join('\n');

export const metrics: Area = ({ path, backend: { kinds, names, store, now, counters } }) => {
  if (path !== '/metrics') return undefined;
  const objects = kinds.list().map(({ kind, plural, groupPrefix }) => {
    const resource = qualified(plural, names.group(groupPrefix));
    return `{resource="${resource}"} ${store.size(kind)}`;
  });
  const all = [
    metric('gauge', 'apiserver_storage_objects', 'Number of stored objects by resource.', objects),
    metric('gauge', 'orchsim_store_revision', 'The last resourceVersion that was assigned.', [` ${store.revision}`]),
    metric('gauge', 'orchsim_time_seconds', 'Virtual time since the epoch.', [` ${now() / 1000}`]),
    ...(counters?.() ?? []).map(({ name, help, value }) => metric('counter', name, help, [` ${value}`])),
  ];
  return text(200, all.join(''), 'text/plain; version=0.0.4; charset=utf-8');
};
