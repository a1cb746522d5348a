/** Why settings have no effect: parts that simulated nodes and processes do not have. */
import { inert } from './settings.ts';

export const NO_LOGS = inert('simulated processes write no logs');
export const NO_METRICS = inert('simulated processes publish no metrics and no profiles');
export const NO_FILES = inert('a simulated node has no file system: nothing is read or written there');
export const NO_CGROUPS = inert('containers are simulated by their timing: there are no control groups');
export const NO_RUNTIME = inert('the simulated node is its own container runtime: no other one is called');
export const NO_KERNEL = inert('a simulated node has no operating system to adjust');
export const NO_PULLS = inert('credentials come from the providers that a scenario describes');
export const NO_STREAMS = inert('there are no streams: no exec, attach or port-forward');
export const NO_NETWORK = inert('no traffic flows between simulated pods, and no DNS name is resolved');
export const NO_KEYS = inert('there are no keys in a simulated cluster: a certificate is only its validity period');
export const NO_SOCKETS = inert('simulated processes open no sockets: only access decisions are simulated');
export const NO_CLOUD = inert('a simulated node has no cloud provider');
export const OWN_ENCODING = inert('requests between simulated processes are passed as values, without encoding');
