/**
 * An operator on the informers of the official client: makes a ConfigMap for each Service, and finds the ones that it has made in its
 * cache. `--generate-name` is its bug: a cache that is behind makes it create another one. Without it the name is that of the Service, so
 * that a second creation is refused, and it goes on. `--pod PREFIX`: it reads what a pod has, with the paths of its files behind a prefix.
 */
import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';

const generates = process.argv.includes('--generate-name');
const config = new KubeConfig();
const pod = process.argv.indexOf('--pod');
if (pod > 0) config.loadFromCluster(process.argv[pod + 1]);
else config.loadFromDefault();
const core = config.makeApiClient(CoreV1Api);

const SERVICES = '/api/v1/services';
const CONFIG_MAPS = '/api/v1/configmaps';
const keyOf = ({ metadata: { namespace, name } }) => `${namespace}/${name}`;
const ownerOf = ({ metadata: { ownerReferences = [] } }) => ownerReferences.find(({ controller }) => controller)?.uid;

/** The kinds that have been listed: before all are, nothing is decided. */
const listed = new Set();
function synced(path) {
  listed.add(path);
  if (listed.size === 2) services.list().forEach(enqueue);
}

/** Follows a kind, and lists again whenever its watch ends with an error. */
function follow(path, list, onChange) {
  const informer = makeInformer(config, path, list);
  for (const event of ['add', 'update', 'delete']) informer.on(event, onChange);
  informer.on('error', (error) => {
    console.error(`watch of ${path}: ${error?.message ?? error}`);
    setTimeout(() => void start(), 5);
  });
  const start = () =>
    informer
      .start()
      .then(() => synced(path))
      .catch((error) => {
        console.error(`list of ${path}: ${error?.message ?? error}`);
        setTimeout(() => void start(), 5);
      });
  void start();
  return informer;
}

const services = follow(SERVICES, () => core.listServiceForAllNamespaces(), enqueue);
const greetings = follow(
  CONFIG_MAPS,
  () => core.listConfigMapForAllNamespaces(),
  () => services.list().forEach(enqueue),
);

const queue = new Map();
let working = false;

function enqueue(service) {
  if (listed.size < 2) return;
  queue.set(keyOf(service), service);
  if (!working) void work();
}

async function work() {
  working = true;
  for (const key of queue.keys()) {
    queue.delete(key);
    const service = services.get(nameIn(key), key.split('/')[0]);
    if (service === undefined) continue;
    try {
      await reconcile(service);
    } catch (error) {
      console.error(`${key}: ${error?.message ?? error}`);
      setTimeout(() => enqueue(service), 5);
    }
  }
  working = false;
}

function nameIn(key) {
  return key.split('/')[1];
}

async function reconcile({ metadata: { namespace, name, uid } }) {
  if (greetings.list(namespace).some((each) => ownerOf(each) === uid)) return;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Service', name, uid, controller: true }];
  const named = generates ? { generateName: `${name}-` } : { name };
  try {
    await core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { namespace, ownerReferences, ...named }, data: { hello: name } },
    });
    console.log(`greeted ${namespace}/${name}`);
  } catch (error) {
    // A conflict is answered 409 too.
    if (!String(error?.body).includes('AlreadyExists')) throw error;
  }
}

process.on('SIGTERM', () => process.exit(0));
