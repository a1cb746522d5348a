/** Freezes a plain value deeply and returns it. A value that is frozen already counts as deeply frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) freezeAll(value);
  return value;
}

/** Most members are texts, which need no call. */
function freezeAll(value: object): void {
  Object.freeze(value);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) deepFreeze<unknown>(value[at]);
    return;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name];
    if (typeof member === 'object' && member !== null && !Object.isFrozen(member)) freezeAll(member);
  }
}
