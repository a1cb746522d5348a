/**
 * The response of a process to a request, by the configuration file and flags that it runs with: closed ports, authentication, and
 * authorization by the roles in the cluster. Answers of the API server are cached for as long as the process is configured to. Models: as
 * config/request.ts; paths of an agent's server as v1.24 pkg/kubelet/server/auth.go maps them to sub-resources of its node.
 */
import { decideAccess } from '../../apiserver/access/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { accessToAgent, accessToScheduler, parseAgentConfig, parseSchedulerFlags } from '../../controlplane/config/index.ts';
import type { AccessRequest } from '../../controlplane/config/index.ts';
import { didYouMean, parseGoDuration } from '../../schema/values/index.ts';
import type { AnswerQuestion } from '../scenario/index.ts';
import { type Trouble, troubleOf } from './run.ts';

type Process = NonNullable<ReturnType<Cluster['runtime']['process']>>;

const NO_ANSWER = 0;
/** The controller of a scheduler, of any name. */
const SCHEDULER = /^scheduler(?:-for-.*)?$/;
const ANONYMOUS = 'system:anonymous';

/** The sub-resources of a node for the paths of an agent's server. */
const SUBRESOURCES: readonly (readonly [prefix: string, subresource: string])[] = [
  ['/stats', 'stats'],
  ['/metrics', 'metrics'],
  ['/logs', 'log'],
  ['/spec', 'spec'],
];
const subresourceOf = (path: string): string =>
  SUBRESOURCES.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1] ?? 'proxy';

/** Returns whether a user is allowed, as the process remembers it or from the API server. `key`: the incarnation, the user and the request. */
function review(
  process: Process,
  key: string,
  now: number,
  ttl: { readonly allowed: string; readonly denied: string },
  decide: () => boolean,
): { readonly allowed: boolean; readonly remembered: boolean } {
  process.reviews ??= new Map();
  const known = process.reviews.get(key);
  if (known !== undefined && now < known.until) return { allowed: known.allowed, remembered: true };
  const allowed = decide();
  const lasts = Number((parseGoDuration(allowed ? ttl.allowed : ttl.denied).value ?? 0n) / 1_000_000n);
  process.reviews.set(key, { allowed, until: now + lasts });
  return { allowed, remembered: false };
}

/** The trouble with a name that no process has. */
export const noProcess = ({ runtime }: Cluster, name: string): Trouble =>
  troubleOf(`there is no process ${name}${didYouMean(name, runtime.names())}`, [`  there are ${runtime.names().join(', ')}`]);

/** Returns the status code of a process's response, 0 where there is none, and the steps that led to it. */
function answerOf(cluster: Cluster, question: AnswerQuestion): { readonly code: number; readonly steps: readonly string[] } | Trouble {
  const { process: name, groups, ...asked } = question;
  const process = cluster.runtime.process(name);
  if (process === undefined) return noProcess(cluster, name);
  const node = name.startsWith('agent/') ? name.slice('agent/'.length) : undefined;
  const { config, flags = [] } = process.spec.start ?? {};
  if (node === undefined && !process.spec.controllers.some((each) => SCHEDULER.test(each.name)))
    return troubleOf(`${name} is no agent and no scheduler: nothing is known of its listeners`);
  if (!process.up) return { code: NO_ANSWER, steps: [`no listener: ${name} is down`] };
  if (node !== undefined && !process.leading) return { code: NO_ANSWER, steps: [`no listener: ${name} waits for its client certificate`] };
  const agent = node === undefined ? undefined : parseAgentConfig(config, { fragment: config !== undefined, flags }).config;
  const serving = node === undefined ? undefined : cluster.world.machine(node).certificates.serving;
  const secured = (asked.listener ?? 'secure') === 'secure';
  if (agent?.serverTLSBootstrap === true && secured && (serving === undefined || cluster.now >= serving.until))
    return {
      code: NO_ANSWER,
      steps: [`${name} has no serving certificate${serving === undefined ? ': its request was not approved' : ' that is valid'}`],
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
    process,
    JSON.stringify([process.incarnation, user, path]),
    cluster.now,
    webhook === undefined
      ? {
          allowed: scheduler['authorization-webhook-cache-authorized-ttl'],
          denied: scheduler['authorization-webhook-cache-unauthorized-ttl'],
        }
      : { allowed: webhook.cacheAuthorizedTTL, denied: webhook.cacheUnauthorizedTTL },
    () =>
      decideAccess(
        cluster.store,
        cluster.names,
        node === undefined
          ? { user, verb: 'get', path }
          : { user, verb: 'get', group: '', resource: 'nodes', subresource: subresourceOf(path), name: node, namespace: '' },
      ).allowed,
  );
  const { code = NO_ANSWER, steps } = ask({ ...asked, review: allowed ? 'allowed' : 'denied' });
  return { code, steps: remembered ? [...steps, 'the answer is cached'] : steps };
}

export function answerDissent(cluster: Cluster, question: AnswerQuestion, is: number): Trouble | undefined {
  const answer = answerOf(cluster, question);
  if ('message' in answer) return answer;
  if (answer.code === is) return undefined;
  const words = (code: number): string => (code === NO_ANSWER ? 'no response' : `status ${code}`);
  return troubleOf(
    `expected ${words(is)} at ${question.process} for ${question.path}, found ${words(answer.code)}`,
    answer.steps.map((step) => `  ${step}`),
  );
}
