/**
 * Static pods: an agent gets them from a file, a URL or a submission to its own server, not from the API server. It runs them independently
 * of the API server, and shows each there as a mirror pod, which no client can run or end. Models: v1.24 pkg/kubelet/config (file.go,
 * http.go, common.go), pkg/kubelet/pod/mirror_client.go. Simplified: a file is noticed when it is checked; a pod whose file has changed
 * starts while its predecessor ends.
 */
import { createDigest } from '../../../engine/digest.ts';
import { type Node, type Pod, readPod } from '../../../apiserver/kinds/index.ts';
import { keyOf, type Names } from '../../../apiserver/machinery/index.ts';
import { create, record, type Write } from '../../runtime/index.ts';
import type { PodSource } from '../specs.ts';
import type { AgentState, Action } from './actions.ts';
import type { MachineView } from './machine.ts';
import { milliseconds } from './configuration.ts';
import { killed, passed, type Run } from './containers.ts';
import { conclude, viewPod, needsVolumes } from './pod-decision.ts';
import type { NodeContext, PodInput, PodOutcome, SourcesPart } from './node-context.ts';
import { finalise, isOver } from './pod-report.ts';
import { type Clearing, judge } from './admission/admit.ts';
import { mirroredBy } from './admission/resources.ts';

export const SOURCES_KEY = 'pod-sources';

/** The agent's knowledge of its sources, lost in a crash. */
type StaticPods = NonNullable<AgentState['statics']>;

/** Whether a file is in a folder. Files whose names begin with a dot are left out. */
function isUnder(path: string, of: string): boolean {
  if (path === of) return true;
  const folder = of.endsWith('/') ? of : `${of}/`;
  const rest = path.startsWith(folder) ? path.slice(folder.length) : '';
  return rest !== '' && !rest.includes('/') && !rest.startsWith('.');
}

type Origin = 'file' | 'http' | 'server';

const submissions = ({ settings, sources, machineName }: SourcesPart): readonly PodSource[] =>
  settings.enableServer ? sources.filter(({ submitted, nodes }) => submitted === true && nodes?.includes(machineName) !== false) : [];

const nextSubmission = (part: SourcesPart, now: number): number =>
  Math.min(
    ...submissions(part)
      .flatMap(({ fromMs = 0, untilMs = Infinity }) => [part.startAt + fromMs, part.startAt + untilMs])
      .filter((at) => at > now),
  );

/**
 * Pods submitted to an agent that has been listening since an instant, and not withdrawn. Submissions to an earlier agent are lost with it.
 */
const submitted = (part: SourcesPart, since: number, now: number): readonly PodSource[] =>
  submissions(part).filter(({ fromMs = 0, untilMs = Infinity }) => {
    const at = part.startAt + fromMs;
    return at >= since && now >= at && now < part.startAt + untilMs;
  });

/** The pods in files or behind URLs at an instant; undefined: the URL does not answer, so its last content counts. */
function contents(part: SourcesPart, of: 'file' | 'http', now: number): readonly PodSource[] | undefined {
  const { settings, sources, machineName, startAt } = part;
  const there = sources.filter(
    ({ nodes, fromMs = -Infinity, untilMs = Infinity }) =>
      nodes?.includes(machineName) !== false && now >= startAt + fromMs && now < startAt + untilMs,
  );
  if (of === 'file')
    return there.filter(({ path }) => path !== undefined && settings.staticPodPath !== '' && isUnder(path, settings.staticPodPath));
  const serving = there.filter(
    ({ url, headers = {} }) =>
      url !== undefined &&
      url === settings.staticPodURL &&
      Object.entries(headers).every(([name, value]) => settings.staticPodURLHeader?.[name]?.includes(value) === true),
  );
  return serving.length === 0 ? undefined : serving;
}

/** The pod as its node runs it: named after the node, tolerating everything; undefined: the file has no pod. */
function staticPod(pod: PodSource['pod'], source: Origin, nodeName: string, names: Names): readonly Pod[] {
  const { metadata = {}, spec = {} } = pod as { readonly metadata?: Record<string, unknown>; readonly spec?: Record<string, unknown> };
  const digest = createDigest();
  digest.mixValue([pod, nodeName, source]);
  const hash = digest.text();
  const tolerations = [...((spec['tolerations'] as readonly object[] | undefined) ?? []), { operator: 'Exists', effect: 'NoExecute' }];
  const read = readPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'default',
      ...metadata,
      name: `${String(metadata['name'] ?? '')}-${nodeName}`,
      uid: hash,
      annotations: {
        ...(metadata['annotations'] as object | undefined),
        [names.key('', 'config.hash')]: hash,
        [names.key('', 'config.source')]: source === 'server' ? 'http' : source,
      },
    },
    spec: { ...spec, nodeName, tolerations },
  });
  return read === undefined ? [] : [read];
}

function mirror(pod: Pod, node: Node, names: Names): Write {
  const { uid, ...metadata } = pod.metadata;
  const owner = { apiVersion: 'v1', kind: 'Node', name: node.metadata.name, uid: node.metadata.uid, controller: true };
  return create(
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, annotations: { ...metadata.annotations, [names.key('', 'config.mirror')]: uid }, ownerReferences: [owner] },
      spec: pod.spec,
    },
    { tolerate: ['AlreadyExists', 'Invalid', 'Forbidden', 'NotFound'] },
  );
}

export function syncSources(input: PodInput, nodeContext: NodeContext, part: SourcesPart): PodOutcome {
  const { now, names, cache, state } = input;
  const { staticPodPath, fileCheckFrequency, staticPodURL, httpCheckFrequency } = part.settings;
  const [fileMs, httpMs] = [milliseconds(fileCheckFrequency), milliseconds(httpCheckFrequency)];
  const known: StaticPods = state.statics ?? { fileAt: -Infinity, httpAt: -Infinity, since: now, file: [], http: [], server: [] };
  const fileDue = staticPodPath !== '' && now - known.fileAt >= fileMs;
  const httpDue = staticPodURL !== '' && now - known.httpAt >= httpMs;
  const read = (of: 'file' | 'http') =>
    contents(part, of, now)?.flatMap(({ pod }) => staticPod(pod, of, nodeContext.nodeName, names)) ?? known[of];
  const next: StaticPods = {
    fileAt: fileDue ? now : known.fileAt,
    httpAt: httpDue ? now : known.httpAt,
    since: known.since,
    file: fileDue ? read('file') : known.file,
    http: httpDue ? read('http') : known.http,
    server: submitted(part, known.since, now).flatMap(({ pod }) => staticPod(pod, 'server', nodeContext.nodeName, names)),
  };
  const wanted = [...next.file, ...next.http, ...next.server];
  const begun = begin(wanted, nodeContext, input);
  // A refused pod has no mirror: only its event is visible.
  const shown = wanted.filter(({ metadata: { uid } }) => {
    const run = nodeContext.machine.run(uid) ?? begun.runs.get(uid);
    return run !== undefined && run.failure === undefined;
  });
  const uids = new Set(wanted.map(({ metadata }) => metadata.uid));
  const leave = [...nodeContext.machine.uids()].filter((uid) => nodeContext.machine.run(uid)?.isStatic === true && !uids.has(uid));
  const due = [
    ...(staticPodPath === '' ? [] : [next.fileAt + fileMs]),
    ...(staticPodURL === '' ? [] : [next.httpAt + httpMs]),
    nextSubmission(part, now),
  ];
  const wakeAt = Math.min(begun.wakeAt, ...due);
  return {
    why: `${wanted.length === 1 ? '1 static pod' : `${wanted.length} static pods`} from files and URLs${leave.length === 0 ? '' : `, ${leave.length} removed`}`,
    writes: [...begun.writes, ...mirrorWrites(shown, uids, nodeContext, input, cache.get('Node', undefined, nodeContext.nodeName))],
    actions: [...begun.actions, { does: 'sources', are: next }],
    enqueue: [...begun.keys, ...leave, ...(nodeContext.alone === undefined ? [] : begun.runs.size === 0 ? [] : wanted.map(keyOf))],
    ...(wakeAt === Infinity || (nodeContext.once && begun.wakeAt === Infinity)
      ? {}
      : { background: true, wakeAt: Math.max(now + 1, wakeAt) }),
  };
}

/** Starts new pods, unless they are refused or must wait for preempted pods. */
function begin(wanted: readonly Pod[], nodeContext: NodeContext, input: PodInput): Clearing & { readonly runs: ReadonlyMap<string, Run> } {
  const actions: Action[] = [];
  const writes: Write[] = [];
  const keys: string[] = [];
  const begun: Run[] = [];
  const runs = new Map<string, Run>();
  let wakeAt = Infinity;
  for (const pod of wanted) {
    const { uid } = pod.metadata;
    if (nodeContext.machine.run(uid) !== undefined) continue;
    const judged = judge(pod, nodeContext, input, begun);
    if (judged !== undefined && 'clearing' in judged) {
      actions.push(...judged.clearing.actions);
      writes.push(...judged.clearing.writes);
      keys.push(...judged.clearing.keys);
      wakeAt = Math.min(wakeAt, judged.clearing.wakeAt);
      // One at a time: the resources for the next one are not known yet.
      break;
    }
    const refusal = judged !== undefined && 'refusal' in judged ? judged.refusal : undefined;
    const places = judged !== undefined && 'places' in judged ? judged.places : undefined;
    const { run: fresh } = viewPod(pod, nodeContext, input, places);
    // Pods that start together are not on the machine yet.
    const one = fresh.ip === '' ? fresh : { ...fresh, ip: nodeContext.machine.nextAddress(runs.size) };
    const is = refusal === undefined ? one : { ...passed(killed(one, input.now, 0), input.now, 0), failure: refusal };
    const run: Run = { ...is, isStatic: true, ...(nodeContext.alone === undefined ? {} : { called: keyOf(pod) }) };
    actions.push({ does: 'put', uid, run });
    runs.set(uid, run);
    if (refusal === undefined) begun.push(run);
    else writes.push(record(pod, 'Warning', refusal.reason, refusal.message));
  }
  return { actions, writes, keys, wakeAt, runs };
}

/** A static pod without a mirror: the agent runs it on its own. */
export function runUnmirrored(input: PodInput, nodeContext: NodeContext): PodOutcome {
  const { file = [], http = [], server = [] } = input.state.statics ?? {};
  const pod = [...file, ...http, ...server].find((each) => keyOf(each) === input.key);
  if (pod === undefined || nodeContext.machine.run(pod.metadata.uid) === undefined) return { why: 'it does not run here', writes: [] };
  const view = viewPod(pod, nodeContext, input);
  return conclude(view, nodeContext, input, needsVolumes(view) ? 'unbound' : 'not needed');
}

function mirrorWrites(
  wanted: readonly Pod[],
  uids: ReadonlySet<string>,
  { nodeName }: NodeContext,
  { cache, names }: PodInput,
  node: Node | undefined,
): readonly Write[] {
  const there = cache.by('Pod', 'nodeName', nodeName).filter((pod) => mirroredBy(pod, names) !== undefined);
  const old = there.filter((pod) => !uids.has(mirroredBy(pod, names) ?? '')).map(finalise);
  if (node === undefined) return old;
  const shown = new Set(there.map(keyOf));
  return [...old, ...wanted.filter((pod) => !shown.has(keyOf(pod))).map((pod) => mirror(pod, node, names))];
}

/** A mirror reports the state of the static pod; deleting it deletes nothing else. */
export function runMirror(
  pod: Pod,
  uid: string,
  machine: MachineView,
  input: PodInput,
  decide: (pod: Pod, input: PodInput) => PodOutcome,
): PodOutcome {
  if (pod.metadata.deletionTimestamp !== undefined)
    return { why: 'its mirror pod is deleted: the static pod keeps running', writes: [finalise(pod)], enqueue: [SOURCES_KEY] };
  if (isOver(pod)) return { why: 'the static pod has finished', writes: [] };
  if (machine.run(uid) === undefined) return { why: 'the static pod does not run here', writes: [] };
  // A new mirror has no status yet, independent of its predecessor's.
  const { state } = input;
  const isNew = pod.status.startTime === undefined;
  const seen = isNew ? { ...input, state: { ...state, reported: new Set([...state.reported].filter((other) => other !== uid)) } } : input;
  const outcome = decide({ ...pod, metadata: { ...pod.metadata, uid } }, seen);
  const own = (write: Write): Write =>
    write.op === 'patch' && write.kind === 'Pod'
      ? { ...write, patch: { ...(write.patch as object), metadata: { uid: pod.metadata.uid } } }
      : write;
  return { ...outcome, writes: outcome.writes.map(own) };
}
