/** Why settings change nothing: what a simulated node or process does not have. */

export const NO_LOGS = 'simulated processes write no logs';
export const NO_METRICS = 'simulated processes publish no metrics, and nothing profiles them';
export const NO_FILES = 'a simulated node has no file system: nothing is read or written there';
export const NO_CGROUPS = 'containers are timed, not run: there are no control groups to arrange';
export const NO_RUNTIME = 'the simulated node is its own container runtime: no other one is asked';
export const NO_KERNEL = 'a simulated node has no operating system to adjust';
export const NO_PULLS = 'credentials come from the providers that a scenario describes';
export const NO_STREAMS = 'nothing is streamed: there is no exec, attach or port-forward';
export const NO_NETWORK = 'no traffic flows between simulated pods, and no name is looked up';
export const NO_KEYS = 'there are no keys in a simulated cluster: certificates are spans of time, kept by their machine';
export const NO_SOCKETS = 'simulated processes open no sockets: who would be let in is worked out, not how';
export const NO_CLOUD = 'there is no cloud behind a simulated node';
export const OWN_ENCODING = 'requests between simulated processes are values: they are not encoded';
