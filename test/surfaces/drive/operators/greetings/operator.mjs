/**
 * An operator of a custom resource on the official client, with a lease, a finalizer and a version: makes a ConfigMap for each Greeting,
 * which says the version of the operator that has last seen to it. `--version V`; `--generate-name` is its bug: behind its cache it makes
 * another one, where the mended one meets the name that is taken.
 */
import {
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  V1MicroTime,
} from '@kubernetes/client-node';

const version = process.argv[process.argv.indexOf('--version') + 1];
const generates = process.argv.includes('--generate-name');
const config = new KubeConfig();
config.loadFromDefault();
const [core, custom, coordination] = [CoreV1Api, CustomObjectsApi, CoordinationV1Api].map((Api) => config.makeApiClient(Api));
const OF = { group: 'example.com', version: 'v1', namespace: 'default', plural: 'greetings' };
const MERGE = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
const FINALIZER = 'example.com/greetings';
const RETRY_MS = 20;

function follow(path, list) {
  const informer = makeInformer(config, path, list);
  for (const event of ['add', 'update', 'delete']) informer.on(event, wake);
  const start = () => informer.start().then(() => (informer.isSynced = true), again);
  const again = () => setTimeout(() => void start(), RETRY_MS);
  informer.on('error', again);
  void start();
  return informer;
}
const greetings = follow('/apis/example.com/v1/namespaces/default/greetings', () => custom.listNamespacedCustomObject(OF));
const maps = follow('/api/v1/namespaces/default/configmaps', () => core.listNamespacedConfigMap({ namespace: 'default' }));

let leads = false;
let [isWoken, isBusy] = [false, false];
function wake() {
  isWoken = true;
  if (leads && !isBusy && greetings.isSynced && maps.isSynced) void work();
}
async function work() {
  isBusy = true;
  while (isWoken && leads) {
    isWoken = false;
    for (const greeting of greetings.list('default') ?? [])
      await reconcile(greeting).catch(({ code, message }) => {
        if (code !== 404) console.error(String(message).split('\n')[0], code);
        setTimeout(wake, RETRY_MS);
      });
  }
  isBusy = false;
}

async function reconcile({ metadata: { name, uid, deletionTimestamp, finalizers = [] } }) {
  const own = maps.list('default').filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));
  if (deletionTimestamp !== undefined) {
    const live = await core.listNamespacedConfigMap({ namespace: 'default', labelSelector: `greeting=${name}` });
    for (const { metadata } of live.items) await core.deleteNamespacedConfigMap({ namespace: 'default', name: metadata.name });
    if (finalizers.includes(FINALIZER)) await patch(name, { metadata: { finalizers: finalizers.filter((each) => each !== FINALIZER) } });
    return;
  }
  if (!finalizers.includes(FINALIZER)) await patch(name, { metadata: { finalizers: [...finalizers, FINALIZER] } });
  const [map] = own;
  if (map === undefined) {
    const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'Greeting', name, uid }];
    const metadata = {
      ...(generates ? { generateName: `hello-${name}-` } : { name: `hello-${name}` }),
      labels: { greeting: name },
      ownerReferences,
    };
    try {
      await core.createNamespacedConfigMap({ namespace: 'default', body: { metadata, data: { version } } });
    } catch ({ code, body }) {
      if (!String(body).includes('AlreadyExists')) throw Object.assign(new Error(String(body)), { code });
      await speak(`hello-${name}`);
    }
  } else if (map.data?.version !== version) await speak(map.metadata.name);
}
const patch = (name, body) => custom.patchNamespacedCustomObject({ ...OF, name, body }, MERGE);
const speak = (name) => core.patchNamespacedConfigMap({ namespace: 'default', name, body: { data: { version } } }, MERGE);

/** The lease as client-go keeps it: another holder is trusted for its duration after its record was last seen to change. */
const DURATION_MS = 1_000;
const LEASE = { namespace: 'default', name: 'greetings' };
let seen = { record: '', at: 0 };
async function elect() {
  const lease = await coordination.readNamespacedLease(LEASE).catch(({ code }) => (code === 404 ? undefined : Promise.reject(code)));
  const spec = { holderIdentity: version, leaseDurationSeconds: 1, renewTime: new V1MicroTime() };
  // An upgrade finds a version that leads.
  if (lease === undefined && process.argv.includes('--stand-by')) return undefined;
  if (lease === undefined)
    await coordination.createNamespacedLease({ namespace: 'default', body: { metadata: { name: 'greetings' }, spec } });
  else {
    const { holderIdentity = '', renewTime } = lease.spec;
    const record = `${holderIdentity} ${JSON.stringify(renewTime)}`;
    if (record !== seen.record) seen = { record, at: Date.now() };
    if (holderIdentity !== '' && holderIdentity !== version && Date.now() - seen.at < DURATION_MS) return (leads = false);
    await coordination.replaceNamespacedLease({ ...LEASE, body: { ...lease, spec } });
  }
  if (leads) return undefined;
  console.log(`${version} leads`);
  leads = true;
  return wake();
}
const elections = setInterval(() => void elect().catch(() => undefined), 200);

async function end() {
  clearInterval(elections);
  const wasLeading = leads;
  leads = false;
  if (wasLeading)
    await coordination.patchNamespacedLease({ ...LEASE, body: { spec: { holderIdentity: '' } } }, MERGE).catch(() => undefined);
  process.exit(0);
}
process.on('SIGTERM', () => void end());
