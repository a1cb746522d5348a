/**
 * What a process of the cluster would answer to a request, by the file and flags that it runs with: closed ports, who the sender is, and
 * whether he may by the roles that there are. What the API server once said of somebody is believed for as long as the process is told to.
 * Models: as config/request.ts; paths of an agent's server as v1.24 pkg/kubelet/server/auth.go maps them to sub-resources of its node.
 */
import { createAuthorizer } from '../../apiserver/access/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import {
  type AccessRequest,
  accessToAgent,
  accessToScheduler,
  parseAgentConfig,
  parseSchedulerFlags,
} from '../../controlplane/config/index.ts';
import { didYouMean, parseGoDuration } from '../../schema/values/index.ts';
import type { AnswerQuestion } from '../scenario/index.ts';

/** What was answered instead, in words. */
interface Dissent {
  readonly message: string;
  readonly detail: readonly string[];
}

const NO_ANSWER = 0;
/** The controller of a scheduler, of whatever name. */
const SCHEDULER = /^scheduler(?:-for-.*)?$/;
const ANONYMOUS = 'system:anonymous';

/** What an agent's server takes a path for. */
const SUBRESOURCES: readonly (readonly [prefix: string, subresource: string])[] = [
  ['/stats', 'stats'],
  ['/metrics', 'metrics'],
  ['/logs', 'log'],
  ['/spec', 'spec'],
];
const subresourceOf = (path: string): string =>
  SUBRESOURCES.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1] ?? 'proxy';

/** Answers of the API server that processes still believe, by incarnation, user and what was asked. */
const believed = new WeakMap<Cluster, Map<string, { readonly allowed: boolean; readonly until: number }>>();

/** Whether somebody may, as the process knows: from what it remembers, or by asking. */
function review(
  cluster: Cluster,
  key: string,
  ttl: { readonly allowed: string; readonly denied: string },
  decide: () => boolean,
): { readonly allowed: boolean; readonly remembered: boolean } {
  let cache = believed.get(cluster);
  if (cache === undefined) believed.set(cluster, (cache = new Map()));
  const known = cache.get(key);
  if (known !== undefined && cluster.now < known.until) return { allowed: known.allowed, remembered: true };
  const allowed = decide();
  const lasts = Number((parseGoDuration(allowed ? ttl.allowed : ttl.denied).value ?? 0n) / 1_000_000n);
  cache.set(key, { allowed, until: cluster.now + lasts });
  return { allowed, remembered: false };
}

/** The status that a process answers with, 0 where nobody does, and how it came to that. */
function answerOf(cluster: Cluster, question: AnswerQuestion): { readonly code: number; readonly steps: readonly string[] } | Dissent {
  const { process: name, groups, ...asked } = question;
  const process = cluster.runtime.process(name);
  if (process === undefined)
    return {
      message: `there is no process ${name}${didYouMean(name, cluster.runtime.names())}`,
      detail: [`  there are ${cluster.runtime.names().join(', ')}`],
    };
  const node = name.startsWith('agent/') ? name.slice('agent/'.length) : undefined;
  const { config, flags = [] } = process.spec.start ?? {};
  if (node === undefined && !process.spec.controllers.some((each) => SCHEDULER.test(each.name)))
    return { message: `${name} is no agent and no scheduler: nothing is known of its listeners`, detail: [] };
  if (!process.up) return { code: NO_ANSWER, steps: [`nobody listens: ${name} is down`] };
  if (node !== undefined && !process.leading)
    return { code: NO_ANSWER, steps: [`nobody listens: ${name} waits for its client certificate`] };
  const agent = node === undefined ? undefined : parseAgentConfig(config, { fragment: config !== undefined, flags }).config;
  const serving = node === undefined ? undefined : cluster.world.machine(node).certificates.serving;
  const secured = (asked.listener ?? 'secure') === 'secure';
  if (agent?.serverTLSBootstrap === true && secured && (serving === undefined || cluster.now >= serving.until))
    return {
      code: NO_ANSWER,
      steps: [`${name} has no serving certificate${serving === undefined ? ': nobody has approved its request' : ' that is good'}`],
    };
  const scheduler = parseSchedulerFlags(node === undefined ? flags : []).config;
  const ask = (request: AccessRequest) => (agent === undefined ? accessToScheduler(scheduler, request) : accessToAgent(agent, request));
  const first = ask(asked);
  if (first.code !== undefined || first.user === undefined || asked.review !== undefined)
    return { code: first.code ?? NO_ANSWER, steps: first.steps };
  const user = { name: first.user, groups: first.user === ANONYMOUS ? ['system:unauthenticated'] : (groups ?? ['system:authenticated']) };
  const { path } = asked;
  const webhook = agent?.authorization.webhook;
  const { allowed, remembered } = review(
    cluster,
    JSON.stringify([name, process.incarnation, user, path]),
    webhook === undefined
      ? {
          allowed: scheduler['authorization-webhook-cache-authorized-ttl'],
          denied: scheduler['authorization-webhook-cache-unauthorized-ttl'],
        }
      : { allowed: webhook.cacheAuthorizedTTL, denied: webhook.cacheUnauthorizedTTL },
    () =>
      createAuthorizer(cluster.store, cluster.names).decide(
        node === undefined
          ? { user, verb: 'get', path }
          : { user, verb: 'get', group: '', resource: 'nodes', subresource: subresourceOf(path), name: node, namespace: '' },
      ).allowed,
  );
  const { code = NO_ANSWER, steps } = ask({ ...asked, review: allowed ? 'allowed' : 'denied' });
  return { code, steps: remembered ? [...steps, 'it remembers that from before'] : steps };
}

/** Asks; undefined when the answer is the expected one. */
export function answerDissent(cluster: Cluster, question: AnswerQuestion, is: number): Dissent | undefined {
  const answer = answerOf(cluster, question);
  if ('message' in answer) return answer;
  if (answer.code === is) return undefined;
  const words = (code: number): string => (code === NO_ANSWER ? 'nobody to answer' : `the answer ${code}`);
  return {
    message: `expected ${words(is)} at ${question.process} for ${question.path}, found ${words(answer.code)}`,
    detail: answer.steps.map((step) => `  ${step}`),
  };
}
