/** Returns what a function returns; the code and message of its refusal, if it refuses. */
export function refusalOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (thrown) {
    const { status } = thrown as { readonly status: { readonly code: number; readonly message: string } };
    return `${status.code} ${status.message}`;
  }
}
