/** Steps of stories whose output is meant to differ, each with its reason. */
import type { StepOutcome } from './stories.ts';

export interface StoryDeviation {
  readonly reason: string;
  /** Matches the arguments, joined by spaces. */
  readonly args: RegExp;
  /** Lines, and elements of JSON, that only one side has: everything else must be equal. */
  readonly lines?: RegExp;
  /** The first difference, if it is not a matter of lines. */
  readonly difference?: RegExp;
}

const UNSERVED = /openid|"\/logs"|"\/openapi\/v3\/"/;

const STORY_DEVIATIONS: readonly StoryDeviation[] = [
  {
    reason: 'the version is that of the behaviour; the recorded server was a build without one',
    args: /^version|--raw \/version/,
    difference: /v0\.0\.0-master|v1\.24\.0|"major"/,
  },
  {
    reason: 'the agents of the recording reported other names of version and machine',
    args: /node|pod|event/,
    difference: /v1\.24\.0-a| by vm|scheduler-vm|node\.alpha\.kubernetes\.io\/ttl|want {3}annotations:/,
  },
  {
    reason: 'the progress of a rollout at the first read is a matter of milliseconds',
    args: /^rollout status /,
    lines: /^Waiting for (deployment|daemon set) "\S+" rollout to finish: /,
  },
  { reason: 'where a pod lands among equals is chance', args: /pod/, difference: /want .*node-\d[\s\S]*got .*node-\d/ },
  {
    reason: 'requests that need a real machine are refused as not simulated',
    args: /^(exec|attach|cp|debug|port-forward) /,
    difference: /simulated/,
  },
  { reason: 'the agents of the recording could not be reached for logs', args: /^logs /, difference: /^exit 0, recorded 1/ },
  { reason: 'objects of an additional component of the recorded cluster', args: /\bcm\b/, difference: /openshift-service-ca/ },
  { reason: 'paths that are not served are not listed', args: /^get --raw \/$/, lines: UNSERVED },
  {
    reason: 'documents of paths that are not served are not listed',
    args: /^get --raw \/openapi\/v3$/,
    difference: /want \{"paths":\{"\.well-known\/openid-configuration"/,
  },
  {
    reason: 'the explain command of the recorder failed for a kind that its server served',
    args: /^explain apiservice/,
    difference: /want error: couldn't find resource for "apiregistration/,
  },
  { reason: 'a leader of the recorded control plane', args: /get leases -A/, difference: /kube-controller-manager/ },
  {
    reason: 'the recorder read before the controller had acted, which takes no time here',
    args: /^get pv k-pv$/,
    difference: /want .* Bound .*\n.*got .* Released /,
  },
  {
    reason: 'changes inside a struct are not printed as Go prints them',
    args: /^(patch|set|apply|replace) /,
    difference: /want {3}core\.\w+\{/,
  },
];

/** Returns the deviation that explains a difference; undefined: it is not expected. */
export const storyDeviation = ({ args, difference = '', without }: StepOutcome): StoryDeviation | undefined => {
  const said = args.join(' ');
  return STORY_DEVIATIONS.find(
    (each) =>
      each.args.test(said) && (each.lines === undefined ? each.difference?.test(difference) === true : without(each.lines) === undefined),
  );
};
