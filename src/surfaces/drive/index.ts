/** The user's programs as clients of a simulated cluster: `drive` starts them against a scenario, and lets time pass while they are idle. */
export { drive, type Driven } from './drive.ts';
export { Undrivable, type Command, type DriveOptions } from './driving.ts';
export { searchPrograms, type ProgramFinding, type ProgramSearched } from './search/search.ts';
export { DRAWN } from './search/draws.ts';
export { foreignKubeconfig, SERVICE_ACCOUNT, SERVICE_ACCOUNT_FILES } from './connection.ts';
