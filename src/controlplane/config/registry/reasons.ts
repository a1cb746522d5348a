/** Why settings have no effect: parts that simulated nodes and processes do not have. */

export const NO_LOGS = 'simulated processes write no logs';
export const NO_METRICS = 'simulated processes publish no metrics and no profiles';
export const NO_FILES = 'a simulated node has no file system: nothing is read or written there';
export const NO_CGROUPS = 'containers are simulated by their timing: there are no control groups';
export const NO_RUNTIME = 'the simulated node is its own container runtime: no other one is called';
export const NO_KERNEL = 'a simulated node has no operating system to adjust';
export const NO_PULLS = 'credentials come from the providers that a scenario describes';
export const NO_STREAMS = 'there are no streams: no exec, attach or port-forward';
export const NO_NETWORK = 'no traffic flows between simulated pods, and no DNS name is resolved';
export const NO_KEYS = 'there are no keys in a simulated cluster: a certificate is only its validity period';
export const NO_SOCKETS = 'simulated processes open no sockets: only access decisions are simulated';
export const NO_CLOUD = 'a simulated node has no cloud provider';
export const OWN_ENCODING = 'requests between simulated processes are passed as values, without encoding';
