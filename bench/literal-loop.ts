/**
 * A program written by hand for exactly one case: a Job with finalizer tracking, pods of one container that run for a second. It has the
 * same objects, the same number of writes, the same deliveries to the same caches, and one event each on one queue; but no schema, no
 * validation, no patches, no faults, no crashes, no causes, no reasons, no digest. It is the lower bound for a general system.
 */

interface Meta {
  readonly name: string;
  readonly generateName: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly labels: object;
  readonly ownerReferences: readonly object[];
  readonly finalizers?: readonly string[];
}
interface Spec {
  readonly nodeName?: string;
  readonly [field: string]: unknown;
}
interface Status {
  readonly phase: string;
  readonly [field: string]: unknown;
}
interface LiteralPod {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: Meta;
  readonly spec: Spec;
  readonly status: Status;
}
interface Change {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED';
  readonly pod: LiteralPod;
  readonly previous: LiteralPod | undefined;
  readonly at: number;
}

export interface LiteralWork {
  readonly succeeded: number;
  readonly commits: number;
  readonly deliveries: number;
  /** The store at the end of the run. */ readonly pods: ReadonlyMap<string, LiteralPod>;
}

const FINALIZERS = ['batch.orch.io/job-tracking'];
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const MOST = 500;

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export function literalLoop(completions: number, parallelism: number, nodes: number): LiteralWork {
  let now = Date.UTC(2024, 0, 1);
  let nowText = timeOf(now);
  let revision = 1;
  let commits = 0;
  let deliveries = 0;
  let random = 1;
  const below = (bound: number): number => {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    return random % bound;
  };

  const today: (() => void)[] = [];
  const later = new Map<number, (() => void)[]>();
  const soon = (act: () => void): void => {
    today.push(act);
  };
  const at = (time: number, act: () => void): void => {
    const bucket = later.get(time);
    if (bucket === undefined) later.set(time, [act]);
    else bucket.push(act);
  };

  const store = new Map<string, LiteralPod>();
  const events = new Map<string, object>();
  let log: Change[] = [];
  const commit = (type: Change['type'], pod: LiteralPod): void => {
    const previous = store.get(pod.metadata.name);
    store.set(pod.metadata.name, pod);
    revision++;
    commits++;
    const change = { revision, type, pod, previous, at: now };
    log.push(change);
    if (log.length > 16_384) log = log.slice(8_192);
    soon(() => managerSees(change));
    soon(() => schedulerSees(change));
    if (pod.spec.nodeName !== undefined) {
      const node = pod.spec.nodeName;
      soon(() => agentSees(node, change));
    }
  };
  const revise = (pod: LiteralPod, spec: Spec, status: Status, finalizers: readonly string[] | undefined): LiteralPod => {
    const { name, generateName, namespace, uid, creationTimestamp, labels, ownerReferences } = pod.metadata;
    const metadata: Meta =
      finalizers === undefined
        ? { name, generateName, namespace, uid, resourceVersion: String(revision + 1), creationTimestamp, labels, ownerReferences }
        : {
            name,
            generateName,
            namespace,
            uid,
            resourceVersion: String(revision + 1),
            creationTimestamp,
            labels,
            ownerReferences,
            finalizers,
          };
    return { apiVersion: 'v1', kind: 'Pod', metadata, spec, status };
  };
  const stored = (name: string): LiteralPod => {
    const pod = store.get(name);
    if (pod === undefined) throw new Error(`${name} is not there`);
    return pod;
  };

  // The Job and its controller.
  const labels = { 'controller-uid': 'job-uid', 'job-name': 'job-0' };
  const owner = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'job-0', uid: 'job-uid', controller: true, blockOwnerDeletion: true }];
  const template: Spec = {
    containers: [{ name: 'c', image: 'work:1', resources: {}, imagePullPolicy: 'IfNotPresent' }],
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    securityContext: {},
  };
  const managed = new Map<string, LiteralPod>();
  const active = new Map<string, LiteralPod>();
  const toCount = new Map<string, LiteralPod>();
  let uncounted: readonly string[] = [];
  let succeeded = 0;
  let outstanding = 0;
  let queued = false;
  const wake = (): void => {
    if (!queued) {
      queued = true;
      soon(sync);
    }
  };
  const name = (): string => {
    for (;;) {
      let text = 'job-0-';
      for (let i = 0; i < 5; i++) text += ALPHABET.charAt(below(ALPHABET.length));
      if (!store.has(text)) return text;
    }
  };
  const uid = (): string =>
    `${below(1 << 30)
      .toString(16)
      .padStart(
        8,
        '0',
      )}-${below(1 << 16).toString(16)}-4${below(1 << 12).toString(16)}-${below(1 << 30).toString(16)}${below(1 << 30).toString(16)}`;
  const create = (): void =>
    commit('ADDED', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: name(),
        generateName: 'job-0-',
        namespace: 'default',
        uid: uid(),
        resourceVersion: String(revision + 1),
        creationTimestamp: nowText,
        labels,
        ownerReferences: owner,
        finalizers: FINALIZERS,
      },
      spec: template,
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
  const sync = (): void => {
    queued = false;
    if (outstanding > 0) return;
    if (uncounted.length > 0) {
      succeeded += uncounted.length;
      uncounted = [];
      commits++;
      revision++;
    }
    const next: string[] = [];
    for (const pod of toCount.values()) {
      next.push(pod.metadata.uid);
      if (next.length === MOST) break;
    }
    if (next.length > 0) {
      uncounted = next;
      commits++;
      revision++;
      for (const id of next) {
        const pod = toCount.get(id);
        if (pod === undefined) continue;
        outstanding++;
        soon(() => {
          const is = stored(pod.metadata.name);
          commit('MODIFIED', revise(is, is.spec, is.status, undefined));
        });
      }
    }
    const wanted = Math.min(parallelism, completions - succeeded - toCount.size) - active.size;
    for (let i = 0; i < Math.min(wanted, MOST); i++) {
      outstanding++;
      soon(create);
    }
  };
  const managerSees = ({ type, pod }: Change): void => {
    deliveries++;
    const { uid: id } = pod.metadata;
    const before = managed.get(pod.metadata.name);
    managed.set(pod.metadata.name, pod);
    const done = pod.status.phase === 'Succeeded';
    if (done) active.delete(id);
    else active.set(id, pod);
    if (done && pod.metadata.finalizers !== undefined) toCount.set(id, pod);
    else toCount.delete(id);
    if (type === 'ADDED' || (before?.metadata.finalizers !== undefined && pod.metadata.finalizers === undefined)) outstanding--;
    if (type === 'ADDED' || done) wake();
  };

  // The scheduler: the node with the fewest pods, the first of equals.
  const known = new Map<string, LiteralPod>();
  const load = new Array<number>(nodes).fill(0);
  const onNode = new Map<string, number>();
  const schedulerSees = ({ pod }: Change): void => {
    deliveries++;
    known.set(pod.metadata.name, pod);
    if (pod.spec.nodeName === undefined) {
      soon(() => bind(pod.metadata.name));
      return;
    }
    if (pod.status.phase !== 'Succeeded') return;
    const node = onNode.get(pod.metadata.name);
    if (node !== undefined) {
      load[node] = (load[node] ?? 0) - 1;
      onNode.delete(pod.metadata.name);
    }
  };
  const bind = (podName: string): void => {
    let best = 0;
    for (let i = 1; i < nodes; i++) if ((load[i] ?? 0) < (load[best] ?? 0)) best = i;
    load[best] = (load[best] ?? 0) + 1;
    onNode.set(podName, best);
    const chosen = `node-${best}`;
    soon(() => {
      const pod = stored(podName);
      commit(
        'MODIFIED',
        revise(
          pod,
          { ...pod.spec, nodeName: chosen },
          {
            ...pod.status,
            phase: 'Pending',
            conditions: [{ type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: nowText }],
          },
          pod.metadata.finalizers,
        ),
      );
      soon(() => {
        revision++;
        commits++;
        events.set(`${podName}.${revision.toString(16)}`, {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: {
            name: `${podName}.${revision.toString(16)}`,
            namespace: 'default',
            uid: uid(),
            resourceVersion: String(revision),
            creationTimestamp: nowText,
          },
          involvedObject: {
            kind: 'Pod',
            namespace: 'default',
            name: podName,
            uid: pod.metadata.uid,
            apiVersion: 'v1',
            resourceVersion: pod.metadata.resourceVersion,
          },
          reason: 'Scheduled',
          message: `Successfully assigned default/${podName} to ${chosen}`,
          type: 'Normal',
          eventTime: nowText,
          action: 'Binding',
          reportingComponent: 'default-scheduler',
        });
      });
    });
  };

  // The agents.
  const running = new Map<string, { startedAt: string; ip: string; said: string }>();
  let addresses = 0;
  const onNodes = new Map<string, Map<string, LiteralPod>>();
  const agentSees = (node: string, { pod }: Change): void => {
    deliveries++;
    let pods = onNodes.get(node);
    if (pods === undefined) onNodes.set(node, (pods = new Map()));
    pods.set(pod.metadata.name, pod);
    if (pod.status.phase === 'Succeeded') {
      running.delete(pod.metadata.uid);
      return;
    }
    if (running.has(pod.metadata.uid)) return;
    addresses++;
    const run = { startedAt: nowText, ip: `10.244.${(addresses >> 8) & 255}.${addresses & 255}`, said: '' };
    running.set(pod.metadata.uid, run);
    soon(() => report(pod.metadata.name, run, 'Running'));
    at(now + 1_000, () => report(pod.metadata.name, run, 'Succeeded'));
  };
  const report = (podName: string, run: { startedAt: string; ip: string; said: string }, phase: 'Running' | 'Succeeded'): void => {
    if (run.said === phase) return;
    run.said = phase;
    const pod = stored(podName);
    const over = phase === 'Succeeded';
    const ready = over ? 'False' : 'True';
    const id = `sim://${pod.metadata.uid}-0`;
    const condition = (type: string, status: string): object =>
      over
        ? { type, status, lastProbeTime: null, lastTransitionTime: nowText, reason: 'PodCompleted' }
        : { type, status, lastProbeTime: null, lastTransitionTime: nowText };
    commit(
      'MODIFIED',
      revise(
        pod,
        pod.spec,
        {
          phase,
          conditions: [
            condition('Initialized', 'True'),
            condition('Ready', ready),
            condition('ContainersReady', ready),
            ...(pod.status['conditions'] as object[]).slice(-1),
          ],
          hostIP: '192.168.0.1',
          podIP: run.ip,
          podIPs: [{ ip: run.ip }],
          startTime: run.startedAt,
          containerStatuses: [
            {
              name: 'c',
              state: over
                ? { terminated: { exitCode: 0, reason: 'Completed', startedAt: run.startedAt, finishedAt: nowText, containerID: id } }
                : { running: { startedAt: run.startedAt } },
              lastState: {},
              ready: !over,
              restartCount: 0,
              image: 'work:1',
              imageID: 'sim://work:1',
              containerID: id,
              started: !over,
            },
          ],
          qosClass: 'BestEffort',
        },
        pod.metadata.finalizers,
      ),
    );
  };

  wake();
  for (;;) {
    for (let i = 0; i < today.length; i++) {
      today[i]?.();
      if (i === 65_536) {
        today.splice(0, i + 1);
        i = -1;
      }
    }
    today.length = 0;
    let next = Infinity;
    for (const time of later.keys()) if (time < next) next = time;
    if (next === Infinity) break;
    now = next;
    nowText = timeOf(now);
    for (const act of later.get(next) ?? []) today.push(act);
    later.delete(next);
  }
  return { succeeded, commits, deliveries, pods: store };
}
