/** Steps of stories in which the words are meant to differ, each with its reason. */

export interface StoryDeviation {
  readonly reason: string;
  /** The arguments, joined by blanks. */
  readonly args: RegExp;
  /** What differs. */
  readonly difference: RegExp;
}

export const STORY_DEVIATIONS: readonly StoryDeviation[] = [
  { reason: 'the version is that of the behaviour; the recorded server was a build without one', args: /^version|--raw \/version/, difference: /v0\.0\.0-master|v1\.24\.0|"major"/ },
  { reason: 'the agents of the recording called their version and their machine by names of their own', args: /node|pod|event/, difference: /v1\.24\.0-a| by vm|scheduler-vm|node\.alpha\.kubernetes\.io\/ttl|want {3}annotations:/ },
  { reason: 'where a pod lands among equals is chance', args: /pod/, difference: /want .*node-\d[\s\S]*got .*node-\d/ },
  { reason: 'what needs a real machine answers that it is not simulated', args: /^(logs|exec|attach|cp|debug|port-forward) /, difference: /simulated/ },
  { reason: 'objects of a component that the recorded cluster had besides', args: /\bcm\b/, difference: /openshift-service-ca/ },
  { reason: 'versions of groups that are no more, and the groups of kinds that are not simulated, are not served', args: /api-versions|api-resources|--raw \/(apis|openapi|$)|--raw \/apis\/batch|v1beta1|beta\.yaml|componentstatuses/, difference: /[\s\S]/ },
  { reason: 'versions of groups that are no more have no APIService', args: /get apiservices$|apiservice v2beta1/, difference: /[\s\S]/ },
  { reason: 'a leader of the recorded control plane', args: /get leases -A/, difference: /kube-controller-manager/ },
  { reason: 'labels are listed in the order of a Go map', args: /label .*--list/, difference: /[\s\S]/ },
  { reason: 'what changed inside a struct is not printed as Go would', args: /^(patch|set|apply|replace) /, difference: /want {3}core\.\w+\{/ },
];

export const storyDeviation = (args: readonly string[], difference: string): StoryDeviation | undefined => { const said = args.join(' '); return STORY_DEVIATIONS.find((each) => each.args.test(said) && each.difference.test(difference)); };
