/** Steps of stories in which the words are meant to differ, each with its reason. */
import type { StepOutcome } from './stories.ts';

export interface StoryDeviation {
  readonly reason: string;
  /** The arguments, joined by blanks. */
  readonly args: RegExp;
  /** Lines, and elements of JSON, that one side has besides: everything else must be the same. */
  readonly lines?: RegExp;
  /** What differs first, where it is not a matter of lines. */
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
    reason: 'the agents of the recording called their version and their machine by names of their own',
    args: /node|pod|event/,
    difference: /v1\.24\.0-a| by vm|scheduler-vm|node\.alpha\.kubernetes\.io\/ttl|want {3}annotations:/,
  },
  {
    reason: 'how far a rollout has come when it is first looked at is a matter of milliseconds',
    args: /^rollout status /,
    lines: /^Waiting for (deployment|daemon set) "\S+" rollout to finish: /,
  },
  { reason: 'HorizontalPodAutoscaler is left out', args: /^autoscale | hpa\b/, difference: /horizontalpodautoscaler|NAME {2}REFERENCE/ },
  { reason: 'where a pod lands among equals is chance', args: /pod/, difference: /want .*node-\d[\s\S]*got .*node-\d/ },
  {
    reason: 'what needs a real machine answers that it is not simulated',
    args: /^(logs|exec|attach|cp|debug|port-forward) /,
    difference: /simulated/,
  },
  { reason: 'objects of a component that the recorded cluster had besides', args: /\bcm\b/, difference: /openshift-service-ca/ },
  { reason: 'paths that are not served are not listed', args: /^get --raw \/$/, lines: UNSERVED },
  {
    reason: 'documents of paths that are not served are not listed',
    args: /^get --raw \/openapi\/v3$/,
    difference: /want \{"paths":\{"\.well-known\/openid-configuration"/,
  },
  {
    reason: 'the recorder could not explain what its own server served',
    args: /^explain apiservice/,
    difference: /want error: couldn't find resource for "apiregistration/,
  },
  { reason: 'a leader of the recorded control plane', args: /get leases -A/, difference: /kube-controller-manager/ },
  {
    reason: 'the recorder looked before the controller had acted, which takes no time here',
    args: /^get pv k-pv$/,
    difference: /want .* Bound .*\n.*got .* Released /,
  },
  {
    reason: 'what changed inside a struct is not printed as Go would',
    args: /^(patch|set|apply|replace) /,
    difference: /want {3}core\.\w+\{/,
  },
];

export const storyDeviation = ({ args, difference = '', without }: StepOutcome): StoryDeviation | undefined => {
  const said = args.join(' ');
  return STORY_DEVIATIONS.find(
    (each) =>
      each.args.test(said) && (each.lines === undefined ? each.difference?.test(difference) === true : without(each.lines) === undefined),
  );
};
